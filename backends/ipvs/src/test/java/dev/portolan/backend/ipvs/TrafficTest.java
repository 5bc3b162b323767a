package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Reply;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.Small;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsVm;
import dev.portolan.testkit.TrafficContract;
import org.junit.jupiter.api.Test;

/** Connections through a kernel while virtual servers change. */
@AtNight
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

  /** Audits, as the keeper does when the watch notices it. */
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
  void whatTheKernelCountsIsToldByService() throws InterruptedException {
    node.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(2)).build());
    for (int i = 0; i < 5; i++) {
      assertThat(lab.probe(Actor.POD_A3).ask(Protocol.TCP, Small.ADDRESS, 80))
          .isInstanceOf(Reply.Answered.class);
    }
    // The kernel adds up what its processors have counted every other second.
    long connections = Await.until("5", () -> count(Kind.CONNECTIONS), n -> n >= 5);
    assertThat(connections).isEqualTo(5);
    assertThat(count(Kind.PACKETS_IN)).isGreaterThan(10);
    assertThat(count(Kind.BYTES_OUT)).isGreaterThan(count(Kind.PACKETS_OUT));

    node.restart();
    assertThat(count(Kind.CONNECTIONS)).isEqualTo(5);
  }

  private long count(Kind kind) {
    return lab.node().call(() -> node.backend().traffic()).stream()
        .filter(each -> each.port().toString().equals("traffic/test:http") && each.kind() == kind)
        .mapToLong(TrafficCount::count)
        .sum();
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
