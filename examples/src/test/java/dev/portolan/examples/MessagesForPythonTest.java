package dev.portolan.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The wheel of {@code ./dev messages} can be imported, and reads what the API sends. */
@Timeout(120)
final class MessagesForPythonTest {
  private static final Path RELEASE = Path.of("target/release");

  private static final String PROGRAM =
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
      print(item.WhichOneof("Op"), item.Set.Ref.Path, service.Namespace, service.Name, service.Type)
      """;

  @Test
  void aProgramReadsAMessage(@TempDir Path folder) throws Exception {
    Optional<Path> wheel = wheel();
    assumeTrue(wheel.isPresent(), "no wheel in target/release: ./dev messages writes it");
    String python = Optional.ofNullable(System.getenv("PORTOLAN_PYTHON")).orElse("python3");
    Result library = run(List.of(python, "-c", "import google.protobuf.runtime_version"), wheel);
    assumeTrue(
        library.status() == 0,
        () -> python + " has no protobuf for these messages: ./dev test installs it");

    Service service =
        Service.newBuilder().setNamespace("shop").setName("web").setType("ClusterIP").build();
    OpItem item =
        OpItem.newBuilder()
            .setSet(
                Value.newBuilder()
                    .setRef(Ref.newBuilder().setSet(Set.ServicesSet).setPath("shop/web"))
                    .setBytes(service.toByteString()))
            .build();
    Path message = Files.write(folder.resolve("item"), item.toByteArray());
    Path program = Files.writeString(folder.resolve("read.py"), PROGRAM);
    Result result = run(List.of(python, program.toString(), message.toString()), wheel);
    assertThat(result.output()).isEqualTo("Set shop/web shop web ClusterIP\n");
    assertThat(result.status()).isZero();
  }

  private static Optional<Path> wheel() throws IOException {
    if (!Files.isDirectory(RELEASE)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(RELEASE)) {
      return files.filter(file -> file.toString().endsWith(".whl")).findFirst();
    }
  }

  /** How a program ended, and what it printed. */
  private record Result(int status, String output) {}

  private static Result run(List<String> command, Optional<Path> wheel) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PYTHONPATH", wheel.orElseThrow().toAbsolutePath().toString());
    try {
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Result(process.exitValue(), output);
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    }
  }
}
