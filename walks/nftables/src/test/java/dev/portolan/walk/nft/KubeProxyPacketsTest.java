package dev.portolan.walk.nft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.walk.WalkJudge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every packet of the tables, through the rules of the real kube-proxy in mode nftables. */
@NeedsKernel(tools = {"ip", "nft"})
@NeedsBuilt("kube-proxy")
class KubeProxyPacketsTest {
  @Test
  void theRulesOfKubeProxySendEachPacketWhereItBelongs() {
    Map<NodeSettings, List<PacketTable>> bySettings =
        PacketTable.all().stream()
            .collect(
                Collectors.groupingBy(
                    PacketTable::settings, LinkedHashMap::new, Collectors.toList()));
    List<String> wrong = new ArrayList<>();
    bySettings.forEach((settings, tables) -> {
      try (Lab lab = Lab.open();
          KubeProxyNode node = new KubeProxyNode(lab.node(), "nftables", settings)) {
        node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
        NftRuleset rules = NftRuleset.read(Optional.of(lab.node().path()));
        assertThat(rules.description()).isEqualTo("nftables, tables ip kube-proxy, ip6 kube-proxy");
        for (PacketTable table : tables) {
          for (Packet packet : table.packets()) {
            Outcome walked = WalkJudge.outcome(rules.walk(WalkJudge.firstPacket(packet)));
            if (!walked.agreesWith(packet.expected())) {
              wrong.add(table.name() + ": " + packet + " but walked " + walked);
            }
          }
        }
      }
    });
    assertThat(wrong).isEmpty();
  }
}
