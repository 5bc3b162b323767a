package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.Audit;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.Vigil;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.TrafficContract;
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
    assertThat(atWork().audit(node.image())).isEqualTo(Audit.CLEAN);
  }

  @Override
  protected void assertNothingLeft() {
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEmpty();
  }

  @Test
  void aFlushedTableIsBackBeforeLong() throws InterruptedException {
    try (Guard guard = guard(backend());
        Vigil vigil = Vigil.over(lab, Vigil.usual())) {
      // The connections are to be under way when the table goes.
      Await.until("a connection", () -> vigil.probes() > 0);
      int repairs = 0;
      for (int i = 0; i < 5; i++) {
        lab.node().exec("nft", "flush", "ruleset");
        repairs = guard.awaitMore(repairs);
      }
      assertThat(vigil.probes()).isPositive();
    }
    assertHealed();
  }
}
