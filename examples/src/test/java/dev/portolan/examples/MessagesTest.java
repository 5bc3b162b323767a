package dev.portolan.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.Value;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs read and write the API's messages with the packages of {@code ./dev messages}. */
@Timeout(300)
final class MessagesTest {
  private static final Path RELEASE = Path.of("target/release");

  private static final Service WEB =
      Service.newBuilder().setNamespace("shop").setName("web").setType("ClusterIP").build();

  /** Reads the item, and writes one whose service has another name. */
  private static final String PYTHON =
      """
      import sys
      from portolan_api.globalv1 import api_pb2 as globalv1
      from portolan_api.localnetv1 import api_pb2 as localnetv1
      from portolan_api.localv1 import api_pb2 as localv1
      from portolan_api.portolan.v1 import brain_pb2, explain_pb2

      item = localv1.OpItem()
      item.ParseFromString(open(sys.argv[1], "rb").read())
      service = localv1.Service()
      service.ParseFromString(item.Set.Bytes)
      service.Name += "-2"
      item.Set.Bytes = service.SerializeToString()
      open(sys.argv[1], "wb").write(item.SerializeToString())
      print(item.WhichOneof("Op"), item.Set.Ref.Path, service.Namespace, service.Type)
      """;

  /** The same. */
  private static final String GO =
      """
      package main

      import (
      	"fmt"
      	"os"

      	"google.golang.org/protobuf/proto"
      	_ "portolan.dev/api/globalv1"
      	_ "portolan.dev/api/localnetv1"
      	"portolan.dev/api/localv1"
      	_ "portolan.dev/api/v1"
      )

      func main() {
      	var item localv1.OpItem
      	bytes, err := os.ReadFile(os.Args[1])
      	check(err)
      	check(proto.Unmarshal(bytes, &item))
      	set, ok := item.Op.(*localv1.OpItem_Set)
      	if !ok {
      		panic(item.String())
      	}
      	var service localv1.Service
      	check(proto.Unmarshal(set.Set.GetBytes(), &service))
      	service.Name += "-2"
      	set.Set.Bytes, err = proto.Marshal(&service)
      	check(err)
      	bytes, err = proto.Marshal(&item)
      	check(err)
      	check(os.WriteFile(os.Args[1], bytes, 0o600))
      	fmt.Println("Set", set.Set.Ref.Path, service.Namespace, service.Type)
      }

      func check(err error) {
      	if err != nil {
      		panic(err)
      	}
      }
      """;

  @TempDir private Path folder;

  @Test
  void aProgramInPythonReadsAndWritesThem() throws Exception {
    Optional<Path> wheel = released(".whl");
    assumeTrue(wheel.isPresent(), "no wheel in target/release: ./dev messages writes it");
    String python = Optional.ofNullable(System.getenv("PORTOLAN_PYTHON")).orElse("python3");
    Map<String, String> path = Map.of("PYTHONPATH", wheel.get().toAbsolutePath().toString());
    Result library = run(path, List.of(python, "-c", "import google.protobuf.runtime_version"));
    assumeTrue(
        library.status() == 0,
        () -> python + " has no protobuf for these messages: ./dev test installs it");
    Path program = Files.writeString(folder.resolve("read.py"), PYTHON);
    assertReadsAndWrites(path, python, program.toString());
  }

  @Test
  void aProgramInGoReadsAndWritesThem() throws Exception {
    assumeTrue(run(Map.of(), List.of("go", "version")).status() == 0, "Go is not installed");
    Optional<Path> module = released("portolan-api-go");
    assumeTrue(module.isPresent(), "no Go module in target/release: ./dev messages writes it");
    Path api = module.get().toAbsolutePath();
    String library =
        Files.readAllLines(api.resolve("go.mod")).stream()
            .filter(line -> line.startsWith("require "))
            .findFirst()
            .orElseThrow();
    Files.writeString(
        folder.resolve("go.mod"),
        """
        module example.com/read

        go 1.23

        %s
        require portolan.dev/api v0.0.0
        replace portolan.dev/api => %s
        """
            .formatted(library, api));
    Files.copy(
        api.resolve("go.sum"), folder.resolve("go.sum"), StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(folder.resolve("main.go"), GO);
    // Everything is there since the module was generated.
    Map<String, String> offline = Map.of("GOPROXY", "off", "GOWORK", "off", "GOFLAGS", "-mod=mod");
    assertReadsAndWrites(offline, "go", "run", ".");
  }

  private void assertReadsAndWrites(Map<String, String> environment, String... program)
      throws Exception {
    OpItem item =
        OpItem.newBuilder()
            .setSet(
                Value.newBuilder()
                    .setRef(Ref.newBuilder().setSet(Set.ServicesSet).setPath("shop/web"))
                    .setBytes(WEB.toByteString()))
            .build();
    Path message = Files.write(folder.resolve("item"), item.toByteArray());
    Result result =
        run(environment, Stream.concat(Stream.of(program), Stream.of(message.toString())).toList());
    assertThat(result).isEqualTo(new Result(0, "Set shop/web shop ClusterIP\n"));
    OpItem written = OpItem.parseFrom(Files.readAllBytes(message));
    assertThat(written.getSet().getRef()).isEqualTo(item.getSet().getRef());
    assertThat(Service.parseFrom(written.getSet().getBytes()))
        .isEqualTo(WEB.toBuilder().setName("web-2").build());
  }

  private static Optional<Path> released(String end) throws IOException {
    if (!Files.isDirectory(RELEASE)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(RELEASE)) {
      return files.filter(file -> file.toString().endsWith(end)).findFirst();
    }
  }

  /** How a program ended, and what it printed. */
  private record Result(int status, String output) {}

  private Result run(Map<String, String> environment, List<String> command) throws Exception {
    File output = folder.resolve("output").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      return new Result(process.exitValue(), Files.readString(output.toPath(), UTF_8));
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    }
  }
}
