package dev.portolan.backend.ebpf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.bpf.BpfPlace;
import dev.portolan.bpf.CgroupLink;
import dev.portolan.bpf.SocketHook;
import dev.portolan.core.backend.Audit;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.Packet;
import dev.portolan.packets.Vigil;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.TrafficContract;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections while maps, programs and rules change: from sockets of pods on the node, which are
 * translated, and from those on other nodes and outside, which are not.
 */
@NeedsKernel(tools = {"ip", "mount", "nft"})
class TrafficTest extends TrafficContract {
  @AutoClose private static BpfPlace place;

  @BeforeAll
  static void makePlace() {
    place = BpfPlace.make();
  }

  @BeforeEach
  void enter() {
    lab.onEntryToNode(place::enter);
  }

  private static Path folder() {
    return place.folder().resolve("portolan");
  }

  @Override
  protected BackendUnderTest backend() {
    return () -> new EbpfBackend(EbpfOptions.DEFAULT.of(place.cgroup()).pinnedTo(folder()));
  }

  @Override
  protected List<Packet> watched() {
    return Vigil.usual().stream()
        .map(packet ->
            PacketsTest.isTranslated(packet) ? PacketsTest.withoutMasquerade(packet) : packet)
        .toList();
  }

  /** It does, and {@link EbpfBackendTest} has waited for that already. */
  @Override
  protected boolean forgetsClientsOnTime() {
    return false;
  }

  @Override
  protected int changes() {
    return 200;
  }

  @Override
  protected void assertNothingStale() {
    lab.node()
        .run(() -> {
          node.backend().tidy();
          assertThat(node.backend().audit(node.image())).isEqualTo(Audit.CLEAN);
        });
    assertThat(((EbpfBackend) node.backend()).obstacle()).isEmpty();
  }

  @Override
  protected void assertNothingLeft() {
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEmpty();
    assertThat(folder()).doesNotExist();
  }

  @Test
  void nftablesServesWhatSomebodyDetachesUntilAnAuditAttachesIt() throws InterruptedException {
    for (SocketHook hook : SocketHook.values()) {
      try (CgroupLink link = CgroupLink.pinned(folder().resolve(hook.toString())).orElseThrow()) {
        link.detach();
      }
    }
    Vigil without = Vigil.over(lab, Vigil.usual());
    Await.until("50 connections", () -> without.probes() >= 50);
    without.close();
    assertThat(without.failures()).isEmpty();
    lab.node()
        .run(() ->
            assertThat(node.backend().audit(node.image()).repaired())
                .isEqualTo(SocketHook.values().length));
    assertHealed();
  }
}
