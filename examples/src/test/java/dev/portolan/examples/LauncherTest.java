package dev.portolan.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples as processes of their own, started by the java launcher from their sources. */
@Timeout(300)
final class LauncherTest {
  private static final long PATIENCE_SECONDS = 120;

  private final Path folder;
  private final Address address;
  private ServedShop shop;

  LauncherTest(@TempDir Path folder) {
    this.folder = folder;
    this.address = new Address.Unix(folder.resolve("api.sock"));
  }

  /** What a process printed. */
  private record Result(int status, List<String> output, String errors) {}

  @BeforeEach
  void serve() throws Exception {
    shop = new ServedShop(address);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void printStatePrintsServices() throws Exception {
    Result result = run("examples/print-state/PrintState.java", "--once");

    assertThat(result.status).as(result.errors).isZero();
    assertThat(result.output).hasSize(9).allMatch(line -> line.startsWith("NodeService[name="));
    assertThat(result.errors).contains("continue from here with --instance-id");
  }

  @Test
  void userspaceProxyServesTcp() throws Exception {
    Result result = run("examples/userspace-proxy/UserspaceProxy.java", "--once");

    assertThat(result.status).as(result.errors).isZero();
    assertThat(result.output)
        .hasSize(11)
        .allMatch(line -> line.contains("/TCP is served on /127.0.0.1:"));
  }

  @Test
  void aWrongFlagIsSaid() throws Exception {
    Result result = run("examples/print-state/PrintState.java", "--nonsense");

    assertThat(result.status).isEqualTo(2);
    assertThat(result.errors).contains("'--nonsense': unknown flag; see --help");
  }

  private Result run(String source, String... flags) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(source, "--api", address.toString(), "--node", "worker-1"));
    command.addAll(List.of(flags));
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Result(
        process.exitValue(), Files.readAllLines(output), Files.readString(errors, UTF_8));
  }
}
