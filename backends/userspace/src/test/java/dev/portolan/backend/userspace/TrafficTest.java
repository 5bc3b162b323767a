package dev.portolan.backend.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Reply;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.Packet;
import dev.portolan.packets.Vigil;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.TrafficContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections through portals while rules and endpoints change. */
@NeedsKernel(tools = {"ip", "nft"})
class TrafficTest extends TrafficContract {
  @Override
  protected BackendUnderTest backend() {
    UserspaceOptions options =
        UserspaceOptions.DEFAULT.in(lab.node().path()).drain(Duration.ofSeconds(10));
    return () -> new UserspaceBackend(options);
  }

  @Override
  protected int changes() {
    return 500;
  }

  @Override
  protected List<Packet> watched() {
    return super.watched().stream().map(PacketsTest::asProxied).toList();
  }

  /** No process, no service: but a client is refused or cut off, and never sent astray. */
  @Override
  protected void assertRestartsUnnoticed(List<Vigil.Failure> failures) {
    assertThat(failures)
        .allSatisfy(failure -> assertThat(failure.reply()).isNotInstanceOf(Reply.Answered.class));
  }

  @Override
  protected void assertNothingStale() {
    node.backend().tidy();
    assertThat(node.backend().audit(node.image())).isEqualTo(Audit.CLEAN);
  }

  @Override
  protected void assertNothingLeft() {
    assertThat(lab.node().exec("nft", "list", "ruleset")).isEmpty();
  }

  @Test
  void connectionTrackingIsToldOfPortals() {
    NodeChange tracked = node.backend().tracked(NodeChange.to(node.image()));
    List<Ip> targets = new ArrayList<>();
    for (NodeService service : tracked.after().services()) {
      for (ServicePort port : service.ports()) {
        if (port.name().protocol() != Protocol.SCTP) {
          port.serving().forEach(endpoint -> targets.add(endpoint.address()));
        }
      }
    }
    assertThat(targets)
        .contains(Actor.NODE.address(IpFamily.IPV4), Actor.NODE.address(IpFamily.IPV6))
        .allMatch(Actor::isOfNode);
  }
}
