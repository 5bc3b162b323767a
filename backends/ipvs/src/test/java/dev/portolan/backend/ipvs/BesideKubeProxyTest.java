package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.Command;
import dev.portolan.netlink.lab.NeedsVm;
import dev.portolan.packets.FollowingNode;
import dev.portolan.packets.LabJudge;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The real kube-proxy in mode ipvs on the node of a lab: what the tables say of mode ipvs is true
 * of it, and the kernel looks the same when we have taken over.
 */
@NeedsVm
@NeedsBuilt("kube-proxy")
class BesideKubeProxyTest {
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
        PacketTable.all("ipvs-differences").stream()
            .filter(table -> table.settings().equals(NodeSettings.DEFAULT))
            .flatMap(table -> table.packets().stream())
            .filter(packet -> packet.protocol() == Protocol.TCP && !isDifferent(packet))
            .toList();
    return new PacketTable("usual", "", NodeSettings.DEFAULT, packets);
  }

  /**
   * What is not the same with it, as docs/differences.md has it: the node's own connections to a
   * nodePort where none is served.
   */
  private static boolean isDifferent(Packet packet) {
    return packet.from() == Actor.NODE && packet.expected().verdict() == Verdict.NONE;
  }

  /** The cluster of the tables with TCP alone: kube-proxy runs a program for each address. */
  private static ClusterDelta cluster() {
    ClusterImage all = PacketTable.cluster();
    ClusterDelta.Builder some = ClusterDelta.builder();
    all.nodes().forEach((name, node) -> some.set(node));
    all.slices().forEach((name, slice) -> some.set(slice));
    all.services().forEach((name, service) -> some.set(onlyTcp(service)));
    return some.build();
  }

  private static Service onlyTcp(Service service) {
    return new Service(
        service.name(),
        service.type(),
        service.clusterIps(),
        service.ipFamilies(),
        service.ports().stream().filter(port -> port.protocol() == Protocol.TCP).toList(),
        service.externalIps(),
        service.ingress(),
        service.sourceRanges(),
        service.internalTrafficPolicy(),
        service.externalTrafficPolicy(),
        service.affinitySeconds(),
        service.healthCheckNodePort(),
        service.proxyName(),
        service.labelledHeadless(),
        service.created(),
        service.metadata());
  }

  /** All in one, as kube-proxy needs long to write its many sets. */
  @Test
  void theTablesAreTrueOfItAndTheKernelLooksTheSameAfterATakeover() {
    List<String> servers;
    List<String> addresses;
    try (KubeProxyNode theirs = new KubeProxyNode(lab.node(), "ipvs", NodeSettings.DEFAULT)) {
      Trial.run(usual(), LabJudge.of(lab, _ -> staying(theirs)).brief()).orThrow();
      servers = servers();
      addresses = addresses();
    }
    assertThat(servers).hasSizeGreaterThan(100);
    try (NodeUnderTest ours =
        new NodeUnderTest(
            lab.node(), () -> new IpvsBackend(IpvsOptions.DEFAULT), NodeSettings.DEFAULT)) {
      ours.apply(cluster());
      assertThat(servers()).isEqualTo(servers);
      assertThat(addresses()).isEqualTo(addresses);
    }
  }

  /** The node, which goes on when the packets are judged. */
  private static FollowingNode staying(KubeProxyNode node) {
    return new FollowingNode() {
      @Override
      public void apply(ClusterDelta whole) {
        node.apply(cluster());
      }

      @Override
      public void close() {}
    };
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
}
