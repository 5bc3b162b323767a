package dev.portolan.walk.nft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.walk.FirstPacket;
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
  /** Cluster IPs that no service has. */
  private static final List<Ip> UNASSIGNED = List.of(Ip.of("10.96.9.9"), Ip.of("fd10:96::999"));

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
        NftRuleset rules = readWithGuards(lab);
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

  /** The rules as soon as those for both families are whole. */
  private static NftRuleset readWithGuards(Lab lab) {
    return Await.until(
        "rules of both families",
        () -> NftRuleset.read(Optional.of(lab.node().path())),
        KubeProxyPacketsTest::isWhole);
  }

  private static boolean isWhole(NftRuleset rules) {
    return UNASSIGNED.stream().allMatch(it -> isDropped(it, rules));
  }

  private static boolean isDropped(Ip address, NftRuleset rules) {
    Ip client = Actor.POD_A3.address(address.family());
    FirstPacket packet =
        new FirstPacket(client, 40000, address, 80, Protocol.TCP, Optional.of(Actor.POD_BRIDGE));
    return rules.walk(packet).verdict() == Verdict.DROP;
  }
}
