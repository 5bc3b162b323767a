package dev.portolan.walk.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.ipvs.IpvsBackend;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.Command;
import dev.portolan.packets.FollowingNode;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsVm;
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
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The virtual servers of the real kube-proxy: what the tables say of mode ipvs is true of them,
 * packets walk past them as they go, and the kernel looks the same when we have taken over. One
 * kube-proxy does for all, as it needs long to write its many sets.
 */
@AtNight
@NeedsVm
@NeedsBuilt("kube-proxy")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubeProxyServersTest {
  /** The load-balancer IPs with source ranges that have no endpoints. */
  private static final Set<Ip> EMPTY = Set.of(Ip.of("203.0.113.35"), Ip.of("2001:db8:2::35"));

  private static Lab lab;
  private static KubeProxyNode theirs;

  @BeforeAll
  static void build() {
    // Rules of kube-proxy load it; a lab turns it off where it is there.
    Command.run("modprobe", "br_netfilter");
    lab = Lab.open();
    theirs = new KubeProxyNode(lab.node(), "ipvs", NodeSettings.DEFAULT);
    theirs.apply(TcpCluster.delta());
  }

  @AfterAll
  static void tearDown() {
    theirs.close();
    lab.close();
  }

  /** One table of all rows that share the usual settings, and that {@code chosen} chooses. */
  private static PacketTable usual(List<PacketTable> tables, Predicate<Packet> chosen) {
    List<Packet> packets =
        tables.stream()
            .filter(table -> table.settings().equals(NodeSettings.DEFAULT))
            .flatMap(table -> table.packets().stream())
            .filter(packet -> packet.protocol() == Protocol.TCP && !isDifferent(packet))
            .filter(chosen)
            .toList();
    return new PacketTable("usual", "", NodeSettings.DEFAULT, packets);
  }

  /**
   * What is not the same with kube-proxy, as docs/differences.md has it: the node's own connections
   * to a nodePort where none is served.
   */
  private static boolean isDifferent(Packet packet) {
    return packet.from() == Actor.NODE && packet.expected().verdict() == Verdict.NONE;
  }

  /**
   * What the node sends to a load balancer without endpoints that it may not use: IPVS rejects it
   * before kube-proxy's rules would drop it.
   */
  private static boolean isRejectedEarly(Packet packet) {
    return packet.from() == Actor.NODE
        && packet.expected().verdict() == Verdict.DROP
        && EMPTY.contains(packet.address());
  }

  @Test
  @Order(1)
  void theWalkSendsEachPacketWhereItBelongs() {
    PacketTable table =
        usual(
            ExplainedTables.all(IpvsOptions.DEFAULT.dataplane()),
            packet -> !isRejectedEarly(packet));
    Trial.Report report = Trial.run(table, new WalkJudge(_ -> atWork(), () -> connecting()));
    assertThat(report.judged()).isGreaterThan(100);
    report.orThrow();
  }

  private static Ruleset connecting() {
    IpvsRuleset rules = IpvsRuleset.read(Optional.of(lab.node().path())).orElseThrow();
    assertThat(rules.description())
        .startsWith("virtual servers of IPVS, with iptables-")
        .endsWith(", chains of kube-proxy");
    assertThat(rules.served()).isNotEmpty();
    return new Connecting(rules);
  }

  @Test
  @Order(2)
  void theKernelSendsEachPacketWhereItBelongs() {
    PacketTable table = usual(PacketTable.all("ipvs-differences"), _ -> true);
    Trial.Report report = Trial.run(table, LabJudge.of(lab, _ -> atWork()).brief());
    assertThat(report.judged()).isGreaterThan(100);
    report.orThrow();
  }

  @Test
  @Order(3)
  void theKernelLooksTheSameAfterATakeover() {
    List<String> servers = servers();
    List<String> addresses = addresses();
    assertThat(servers).hasSizeGreaterThan(100);
    theirs.close();
    try (NodeUnderTest ours =
        new NodeUnderTest(
            lab.node(), () -> new IpvsBackend(IpvsOptions.DEFAULT), NodeSettings.DEFAULT)) {
      ours.apply(TcpCluster.delta());
      assertThat(servers()).isEqualTo(servers);
      assertThat(addresses()).isEqualTo(addresses);
    }
  }

  /** All virtual servers with their real servers, without the counts of connections. */
  private static List<String> servers() {
    return lab.node().exec("ipvsadm", "-Sn").lines().sorted().toList();
  }

  private static List<String> addresses() {
    return lab.node()
        .exec("ip", "-o", "address", "show", "dev", IpvsOptions.DEVICE)
        .lines()
        .map(line -> line.replaceFirst("^.* inet6? (\\S+) .*$", "$1"))
        .filter(address -> !address.startsWith("fe80:"))
        .sorted()
        .toList();
  }

  /** The node, which has the cluster already, and goes on when packets are judged. */
  private static FollowingNode atWork() {
    return new FollowingNode() {
      @Override
      public void apply(ClusterDelta whole) {}

      @Override
      public void close() {}
    };
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
}
