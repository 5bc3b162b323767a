package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.Audit;
import dev.portolan.netlink.lab.NeedsVm;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.testkit.TrafficContract;
import org.junit.jupiter.api.Test;

/** Connections through a kernel while virtual servers change. */
@NeedsVm
class TrafficTest extends TrafficContract {
  @Override
  protected BackendUnderTest backend() {
    return () -> new IpvsBackend(IpvsOptions.DEFAULT);
  }

  @Override
  protected int changes() {
    return 24;
  }

  @Override
  protected void assertNothingStale() {
    lab.node()
        .run(() -> {
          node.backend().tidy();
          assertThat(node.backend().audit(node.image())).isEqualTo(Audit.CLEAN);
        });
  }

  @Override
  protected boolean forgetsClientsOnTime() {
    return false;
  }

  /** Its watch tells the keeper of them, which then asks for this. */
  @Override
  protected void addressesChanged(NodeUnderTest changed) {
    lab.node()
        .run(() -> assertThat(changed.backend().audit(changed.image())).isEqualTo(Audit.CLEAN));
  }

  @Override
  protected void assertNothingLeft() {
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEmpty();
    assertThat(lab.node().exec("ip", "link")).doesNotContain(IpvsOptions.DEVICE);
    assertThat(lab.node().exec("ipvsadm", "-Ln")).doesNotContain("TCP", "UDP", "SCTP");
  }

  @Test
  void virtualServersThatSomebodyFlushesAreBackBeforeLong() throws InterruptedException {
    try (Guard guard = guard(backend())) {
      lab.node().exec("ipvsadm", "-C");
      int repairs = guard.awaitMore(0);
      lab.node().exec("ip", "link", "delete", IpvsOptions.DEVICE);
      int _ = guard.awaitMore(repairs);
    }
    assertHealed();
  }
}
