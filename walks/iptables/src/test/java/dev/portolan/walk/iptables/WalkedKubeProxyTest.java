package dev.portolan.walk.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.packets.FollowingNode;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.walk.ExplainedTables;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.WalkJudge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every packet of the tables, walked through the rules that the real kube-proxy has written. */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
@NeedsBuilt("kube-proxy")
class WalkedKubeProxyTest {
  private static final Map<Variant, WalkJudge> JUDGES = new EnumMap<>(Variant.class);

  @TempDir static Path folder;

  @BeforeAll
  static void copyPrograms() throws IOException {
    for (Variant variant : List.of(Variant.NFT, Variant.LEGACY)) {
      Files.createDirectory(folder.resolve(lower(variant)));
      for (String name : List.of("iptables", "ip6tables")) {
        for (String verb : List.of("", "-save", "-restore")) {
          // All are one program, which looks at the name that it was called by.
          Files.copy(
              Path.of("/usr/sbin", name + "-" + lower(variant) + verb),
              folder.resolve(lower(variant)).resolve(name + verb),
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

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

  /** What kube-proxy wrote goes with its lab. */
  private static WalkJudge judge(Variant variant) {
    Lab[] lab = new Lab[1];
    return new WalkJudge(
        settings -> {
          lab[0] = Lab.open();
          return inside(lab[0], kubeProxy(lab[0], variant, settings));
        },
        () -> read(lab[0], variant));
  }

  private static FollowingNode inside(Lab lab, FollowingNode node) {
    return new FollowingNode() {
      @Override
      public void apply(ClusterDelta change) {
        node.apply(change);
      }

      @Override
      public void close() {
        node.close();
        lab.close();
      }
    };
  }

  private static FollowingNode kubeProxy(Lab lab, Variant variant, NodeSettings settings) {
    String path = folder.resolve(lower(variant)) + ":" + System.getenv("PATH");
    return new KubeProxyNode(lab.node(), "iptables", settings, Map.of("PATH", path));
  }

  private static Ruleset read(Lab lab, Variant variant) {
    List<IptablesRuleset> found = IptablesRuleset.read(Optional.of(lab.node().path()));
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().description())
        .isEqualTo("iptables-" + lower(variant) + ", chains of kube-proxy");
    return found.getFirst();
  }
}
