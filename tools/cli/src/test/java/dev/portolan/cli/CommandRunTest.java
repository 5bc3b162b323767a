package dev.portolan.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.daemon.Daemon;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which classes a command line loads, as a JVM of its own says. */
final class CommandRunTest {
  @Test
  void aDaemonLoadsNothingThatReadsTheOptionsOfOtherCommands() throws Exception {
    assertThat(loadedBy("kube-proxy", "--version"))
        .contains("dev.portolan.cli.command.KubeProxyCommand ")
        .doesNotContain("picocli.");
  }

  @Test
  void anyOtherCommandLoadsThat() throws Exception {
    assertThat(loadedBy("version")).contains("picocli.CommandLine ");
  }

  private static String loadedBy(String... command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(Daemon.program());
    words.add(words.indexOf("-cp"), "-Xlog:class+load:stdout");
    words.addAll(List.of(command));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
