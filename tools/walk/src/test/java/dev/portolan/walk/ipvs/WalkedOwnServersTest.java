package dev.portolan.walk.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.backend.ipvs.IpvsText;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Lab;
import dev.portolan.packets.Judge;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.walk.ExplainedTables;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.WalkJudge;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every packet of the tables, walked past the virtual servers that we would make, with our table in
 * a kernel that needs no IPVS for it.
 */
@NeedsKernel(tools = {"ip", "nft"})
class WalkedOwnServersTest {

  static List<PacketTable> tables() {
    return ExplainedTables.all(IpvsOptions.DEFAULT.dataplane());
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theWalkSendsEachPacketWhereItBelongs(PacketTable table) {
    try (Lab lab = Lab.open()) {
      Trial.Report report = Trial.run(table, new PrintedJudge(lab));
      report.orThrow();
      assertThat(report.judged()).isEqualTo(table.packets().size());
    }
  }

  /** Judges by the table in a kernel, and by virtual servers that are only printed. */
  private record PrintedJudge(Lab lab) implements Judge {
    @Override
    public Sitting open(PacketTable table) {
      NodeImage image = table.decision().image();
      List<VirtualServers.Server> servers = new ArrayList<>();
      List<String> addresses = new ArrayList<>();
      for (IpFamily family : IpFamily.values()) {
        PrintedServers printed = PrintedServers.of(IpvsText.of(image, family, IpvsOptions.DEFAULT));
        servers.addAll(printed.servers());
        addresses.addAll(printed.addresses());
        String _ = lab.node().execWith(printed.table(), "nft", "-f", "-");
      }
      StringBuilder batch = new StringBuilder();
      // Where the device would have them; not every kernel has such devices.
      addresses.forEach(it ->
          batch
              .append("address add ")
              .append(it)
              .append(it.contains(":") ? "/128 dev lo nodad\n" : "/32 dev lo\n"));
      String _ = lab.node().execWith(batch.toString(), "ip", "-batch", "-");
      Optional<Path> namespace = Optional.of(lab.node().path());
      NodeNetwork network = withRoutesTo(addresses, namespace);
      NftRuleset nftables = NftRuleset.read(namespace);
      Map<IpFamily, List<HookedRules>> beside = new EnumMap<>(IpFamily.class);
      for (IpFamily family : IpFamily.values()) {
        beside.put(family, List.of(nftables.hooks(family)));
      }
      IpvsRuleset rules =
          new IpvsRuleset(new VirtualServers(servers), network, nftables.description(), beside);
      return packet -> WalkJudge.outcome(rules.walk(first(packet, addresses)));
    }

    /** Of IPv6 addresses the kernel adds the routes a moment later. */
    private static NodeNetwork withRoutesTo(List<String> addresses, Optional<Path> namespace) {
      List<Ip> own = addresses.stream().map(Ip::of).toList();
      return Await.until(
          "the routes",
          () -> NodeNetwork.read(namespace),
          network -> own.stream().allMatch(network::isLocal));
    }

    /** What the node sends to an address of its own comes from that very address. */
    private static FirstPacket first(Packet row, List<String> addresses) {
      FirstPacket packet = WalkJudge.firstPacket(row);
      return packet.isFromNode() && addresses.contains(packet.destination().toString())
          ? new FirstPacket(
              packet.destination(),
              packet.sourcePort(),
              packet.destination(),
              packet.port(),
              packet.protocol(),
              packet.arrivesThrough())
          : packet;
    }
  }
}
