package dev.portolan.walk.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.Command;
import dev.portolan.netlink.lab.NeedsVm;
import dev.portolan.packets.FollowingNode;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.walk.ExplainedTables;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkJudge;
import dev.portolan.walk.WalkResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Packets of the tables, walked past the virtual servers of the real kube-proxy. */
@NeedsVm
@NeedsBuilt("kube-proxy")
class WalkedIpvsTest {
  /** The load-balancer IPs with source ranges that have no endpoints. */
  private static final Set<Ip> EMPTY = Set.of(Ip.of("203.0.113.35"), Ip.of("2001:db8:2::35"));

  private static Lab lab;

  @BeforeAll
  static void build() {
    // Rules of kube-proxy load it; a lab turns it off where it is there.
    Command.run("modprobe", "br_netfilter");
    lab = Lab.open();
  }

  @AfterAll
  static void tearDown() {
    lab.close();
  }

  /** One table of all that share the usual settings, as starting kube-proxy takes long. */
  private static PacketTable usual() {
    List<Packet> packets =
        ExplainedTables.all(IpvsOptions.DEFAULT.dataplane()).stream()
            .filter(table -> table.settings().equals(NodeSettings.DEFAULT))
            .flatMap(table -> table.packets().stream())
            .filter(packet -> packet.protocol() == Protocol.TCP && !isDifferent(packet))
            .toList();
    return new PacketTable("usual", "", NodeSettings.DEFAULT, packets);
  }

  /**
   * What is not the same with kube-proxy: the node's own connections to a nodePort where none is
   * served, as docs/differences.md has it; and to a load balancer without endpoints that it may not
   * use, which IPVS rejects before kube-proxy's rules would drop them.
   */
  private static boolean isDifferent(Packet packet) {
    return packet.from() == Actor.NODE
        && (packet.expected().verdict() == Verdict.NONE
            || (packet.expected().verdict() == Verdict.DROP && EMPTY.contains(packet.address())));
  }

  @Test
  void theWalkSendsEachPacketWhereItBelongs() {
    Trial.Report report =
        Trial.run(
            usual(),
            new WalkJudge(
                settings -> onlyTcp(new KubeProxyNode(lab.node(), "ipvs", settings)),
                () -> {
                  IpvsRuleset rules =
                      IpvsRuleset.read(Optional.of(lab.node().path())).orElseThrow();
                  assertThat(rules.description())
                      .startsWith("virtual servers of IPVS, with iptables-")
                      .endsWith(", chains of kube-proxy");
                  assertThat(rules.served()).isNotEmpty();
                  return new Connecting(rules);
                }));
    assertThat(report.judged()).isGreaterThan(100);
    report.orThrow();
  }

  /** The packets of processes that do not choose where they come from. */
  private record Connecting(IpvsRuleset rules) implements Ruleset {
    @Override
    public String description() {
      return rules.description();
    }

    @Override
    public Set<ServedPlace> served() {
      return rules.served();
    }

    @Override
    public WalkResult walk(FirstPacket packet) {
      return rules.walk(rules.connecting(packet));
    }
  }

  /** A node that is told of services for TCP alone: kube-proxy runs a program for each address. */
  private static FollowingNode onlyTcp(KubeProxyNode node) {
    return new FollowingNode() {
      @Override
      public void apply(ClusterDelta whole) {
        node.apply(TcpCluster.delta());
      }

      @Override
      public void close() {
        node.close();
      }
    };
  }
}
