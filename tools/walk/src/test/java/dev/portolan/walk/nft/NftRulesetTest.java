package dev.portolan.walk.nft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.lab.Lab;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkStep;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a person reads of our rules: the steps of a packet, and what is served. */
@NeedsKernel(tools = "ip")
class NftRulesetTest {
  @AutoClose private static Lab lab;
  private static Ruleset rules;
  private static NodeImage image;

  @BeforeAll
  static void build() {
    lab = Lab.open();
    try (NodeUnderTest node =
        new NodeUnderTest(
            lab.node(), () -> new NftablesBackend(NftablesOptions.DEFAULT), NodeSettings.DEFAULT)) {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
      image = node.image();
      rules = NftRuleset.read(Optional.of(lab.node().path()));
    }
  }

  private static WalkResult walk(String from, String to, int port) {
    return rules.walk(
        new FirstPacket(Ip.of(from), 40000, Ip.of(to), port, Protocol.TCP, Optional.of("eth0")));
  }

  @Test
  void itIsDescribedByTheTablesThatServeServices() {
    assertThat(rules.description()).isEqualTo("nftables, tables ip portolan, ip6 portolan");
  }

  @Test
  void eachStepNamesItsRuleAndWhatItDid() {
    assertThat(walk("198.51.100.10", "10.96.0.20", 80).steps())
        .contains(
            new WalkStep(
                "ip portolan services 2",
                "ip daddr . meta l4proto . th dport vmap @service-ips",
                "goto tcp-pick-4"),
            new WalkStep("ip portolan tcp-pick-4 1", "jump tcp-draw-4", "jump tcp-draw-4"),
            new WalkStep(
                "ip portolan tcp-draw-4 1",
                "meta l4proto tcp dnat to ip daddr . th dport . numgen random mod 4 map"
                    + " @tcp-endpoints",
                "dnat to 10.244.1.11:8080"),
            new WalkStep(
                "ip portolan masquerading 1",
                "meta mark & 0x00004000 != 0x00000000 meta mark set meta mark ^ 0x00004000"
                    + " masquerade fully-random",
                "mark becomes 0x00000000, masquerade"));
    assertThat(walk("198.51.100.10", "10.96.9.9", 80).steps().getLast())
        .isEqualTo(
            new WalkStep(
                "ip portolan cluster-ip-check 2",
                "ip daddr 10.96.0.0/16 drop comment \"no service has this address\"",
                "drop"));
  }

  @Test
  void drawingAgainGivesAllEndpointsTheSameShare() {
    assertThat(walk("198.51.100.10", "10.96.0.20", 80).ways())
        .hasSize(3)
        .allSatisfy(way -> assertThat(way.share()).isCloseTo(1 / 3.0, within(0.001)));
  }

  @Test
  void everythingThatIsDecidedIsServedAndNothingElse() {
    Set<ServedPlace> decided = new HashSet<>();
    for (NodeService service : image.services()) {
      for (ServicePort port : service.ports()) {
        for (ServiceAddress address : port.addresses()) {
          decided.add(
              new ServedPlace(
                  port.family(),
                  port.name().protocol(),
                  Optional.of(address.address()).filter(ip -> !address.isNodePort()),
                  address.port(),
                  port.name().toString()));
        }
      }
    }
    assertThat(rules.served().stream().filter(place -> place.port() > 0))
        .containsExactlyInAnyOrderElementsOf(decided);
  }
}
