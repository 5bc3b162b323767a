package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.OwnJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which classes a command line loads, as a JVM of its own says. */
final class CommandRunTest {
  @Test
  void aDaemonLoadsNothingThatReadsTheOptionsOfOtherCommands() {
    assertThat(loadedBy("kube-proxy", "--version"))
        .contains("dev.portolan.cli.command.KubeProxyCommand ")
        .doesNotContain("picocli.");
  }

  @Test
  void anyOtherCommandLoadsThat() {
    assertThat(loadedBy("version")).contains("picocli.CommandLine ");
  }

  private static String loadedBy(String... command) {
    return OwnJvm.run(List.of("-Xlog:class+load:stdout"), Main.class, command).orThrow();
  }
}
