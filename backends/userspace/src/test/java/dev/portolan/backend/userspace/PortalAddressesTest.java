package dev.portolan.backend.userspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Portals are on an address of the machine, which it may lose. */
@NeedsKernel(tools = {"ip", "nft"})
class PortalAddressesTest {
  @AutoClose private final TestNamespace place = new TestNamespace();

  @AutoClose
  private final UserspaceBackend backend =
      new UserspaceBackend(UserspaceOptions.DEFAULT.in(place.namespace().path()));

  @Test
  void portalsMoveWhenTheirAddressLeavesTheMachine() {
    place.ip("link", "add", "eth0", "type", "veth", "peer", "name", "eth1");
    place.ip("link", "set", "eth0", "up");
    NodeImage image = Shop.web(new Endpoint(Ip.of("10.244.1.5"), 8080, "")).image(1);
    backend.sync(NodeChange.to(image));
    assertThat(place.nft("list ruleset")).as("without an address").doesNotContain("198.51.100.");
    place.ip("address", "add", "198.51.100.1/25", "dev", "eth0");
    assertThat(backend.audit(image))
        .isEqualTo(new Audit(1, "a change of this machine's addresses"));
    assertThat(place.nft("list ruleset")).contains("198.51.100.1");
    place.ip("address", "add", "198.51.100.200/25", "dev", "eth0");
    assertThat(backend.audit(image)).isEqualTo(Audit.CLEAN);
    place.ip("address", "del", "198.51.100.1/25", "dev", "eth0");
    assertThat(backend.audit(image).repaired()).isEqualTo(1);
    assertThat(place.nft("list ruleset"))
        .contains("198.51.100.200")
        .doesNotContain("198.51.100.1 ");
    assertThat(backend.audit(image)).isEqualTo(Audit.CLEAN);
  }
}
