package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes in words. */
final class RunningProcessTest {
  @Test
  void aCommandLineIsShortened() {
    assertThat(RunningProcess.shortened(List.of("/usr/sbin/nft", "-f", "rules")))
        .isEqualTo("nft -f rules");
    assertThat(
            RunningProcess.shortened(
                List.of(
                    "/usr/lib/jvm/bin/java",
                    "-cp",
                    "x.jar",
                    "dev.portolan.cli.Main",
                    "run",
                    "--from",
                    "file:secret")))
        .isEqualTo("portolan run");
    assertThat(RunningProcess.shortened(List.of("sh", "-c", "a\nb" + "x".repeat(100))))
        .startsWith("sh -c a?bxxx")
        .hasSize(80)
        .endsWith("…");
  }

  @Test
  void aThreadIsOfItsProcess() {
    long own = ProcessHandle.current().pid();
    assertThat(RunningProcess.ofThread(own))
        .hasValueSatisfying(process -> assertThat(process.pid()).isEqualTo(own));
  }

  @Test
  void aNumberThatIsAnotherOneHereIsNotTakenForAProcess() {
    assertThat(RunningProcess.ofWriter(1, "nft-elsewhere")).isEqualTo("nft-elsewhere (pid 1)");
  }
}
