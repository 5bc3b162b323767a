package dev.portolan.walk.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.lab.Lab;
import dev.portolan.packets.FollowingNode;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.peers.IptablesFolder;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.walk.ExplainedTables;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.WalkJudge;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables, walked through the rules that the real kube-proxy has written. */
@AtNight
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
@NeedsBuilt("kube-proxy")
class WalkedKubeProxyTest {
  private static final Map<Variant, WalkJudge> JUDGES = new EnumMap<>(Variant.class);

  private static String lower(Variant variant) {
    return variant.name().toLowerCase(Locale.ROOT);
  }

  /** All tables with one kind; of the other, which differs only in how it prints, a few. */
  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (PacketTable table : ExplainedTables.all(IptablesOptions.DEFAULT.dataplane())) {
      trials.add(Arguments.of(Variant.NFT, table));
      if (List.of("external-local", "affinity", "source-ranges").contains(table.name())) {
        trials.add(Arguments.of(Variant.LEGACY, table));
      }
    }
    return trials;
  }

  @ParameterizedTest
  @MethodSource("trials")
  void theWalkSendsEachPacketWhereItBelongs(Variant variant, PacketTable table) {
    Trial.Report report =
        Trial.run(table, JUDGES.computeIfAbsent(variant, WalkedKubeProxyTest::judge));
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }

  private static WalkJudge judge(Variant variant) {
    Lab[] lab = new Lab[1];
    return new WalkJudge(
        settings -> {
          lab[0] = Lab.open();
          return kubeProxy(lab[0], variant, settings);
        },
        () -> read(lab[0], variant));
  }

  /** What kube-proxy wrote goes with its lab. */
  private static FollowingNode kubeProxy(Lab lab, Variant variant, NodeSettings settings) {
    IptablesFolder programs = new IptablesFolder(lower(variant));
    KubeProxyNode node =
        new KubeProxyNode(lab.node(), "iptables", settings, programs.environment());
    return new FollowingNode() {
      @Override
      public void apply(ClusterDelta change) {
        node.apply(change);
      }

      @Override
      public void close() {
        node.close();
        programs.close();
        lab.close();
      }
    };
  }

  private static Ruleset read(Lab lab, Variant variant) {
    List<IptablesRuleset> found = IptablesRuleset.read(Optional.of(lab.node().path()));
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().description())
        .isEqualTo("iptables-" + lower(variant) + ", chains of kube-proxy");
    return found.getFirst();
  }
}
