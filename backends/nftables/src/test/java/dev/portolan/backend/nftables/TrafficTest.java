package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.testkit.packets.BackendUnderTest;
import dev.portolan.testkit.packets.TrafficContract;
import dev.portolan.testkit.packets.Vigil;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections through a real kernel while rules change. */
@NeedsKernel(tools = {"ip", "nft"})
class TrafficTest extends TrafficContract {
  @Override
  protected BackendUnderTest backend() {
    return () -> new NftablesBackend(NftablesOptions.DEFAULT);
  }

  @Override
  protected int changes() {
    return 1_000;
  }

  private NftablesBackend atWork() {
    return (NftablesBackend) node.backend();
  }

  @Override
  protected void assertNothingStale() {
    atWork().tidy();
    assertThat(atWork().audit()).isZero();
  }

  @Override
  protected void assertNothingLeft() {
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEmpty();
  }

  @Test
  void aFlushedTableIsBackBeforeLong() throws InterruptedException {
    try (DriftWatch watch =
        lab.node().call(() -> new DriftWatch(atWork(), Duration.ofHours(1), REPAIRS))) {
      try (Vigil vigil = Vigil.over(lab, Vigil.usual())) {
        for (int i = 1; i <= 5; i++) {
          lab.node().exec("nft", "flush", "ruleset");
          for (int waited = 0; watch.repairs() < i && waited < 1_000; waited++) {
            Thread.sleep(10);
          }
          assertThat(watch.repairs()).isEqualTo(i);
        }
        assertThat(vigil.probes()).isPositive();
      }
      assertHealed();
    }
  }
}
