package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.IpFamily;
import dev.portolan.lab.Lab;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Vigil;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.peers.IptablesFolder;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real kube-proxy in mode iptables programs one node; then we take over in place. The rules in
 * the kernel must be the same before and after, and traffic must not be disturbed.
 */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
@NeedsBuilt("kube-proxy")
class KubeProxyRulesTest {

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"NFT", "LEGACY"})
  void ourRulesAreThoseOfKubeProxyAndNobodyNoticesTheChange(Variant variant) throws Exception {
    NodeSettings settings = NodeSettings.DEFAULT.with(NodePortChoice.parse(List.of("all")));
    try (Lab lab = Lab.open()) {
      Map<IpFamily, Saved> theirs = letKubeProxyWrite(lab, variant, settings);
      Vigil vigil = Vigil.over(lab, Vigil.usual());
      try (vigil;
          NodeUnderTest node =
              new NodeUnderTest(
                  lab.node(),
                  () -> new IptablesBackend(IptablesOptions.DEFAULT.with(variant)),
                  settings)) {
        node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
        vigil.close();
        assertThat(vigil.failures()).isEmpty();
        assertThat(vigil.probes()).isPositive();
        Map<IpFamily, Saved> ours = saved(lab, variant);
        lab.node().run(node.backend()::cleanup);
        node.restart();
        Map<IpFamily, Saved> anew = saved(lab, variant);
        for (IpFamily family : IpFamily.values()) {
          assertThat(minus(ours.get(family), theirs.get(family))).as("only ours").isEmpty();
          assertThat(minus(theirs.get(family), ours.get(family))).as("only theirs").isEmpty();
          assertThat(ours.get(family)).isEqualTo(theirs.get(family));
          assertThat(minus(anew.get(family), theirs.get(family))).as("anew, ours").isEmpty();
          assertThat(minus(theirs.get(family), anew.get(family))).as("anew, theirs").isEmpty();
        }
      }
    }
  }

  private static List<String> minus(Saved some, Saved others) {
    List<String> rest = new ArrayList<>(some.lines());
    rest.removeAll(others.lines());
    return rest;
  }

  /** Lets the real kube-proxy run until it has written everything; it leaves its rules behind. */
  private static Map<IpFamily, Saved> letKubeProxyWrite(
      Lab lab, Variant variant, NodeSettings settings) throws InterruptedException {
    String kind = variant.name().toLowerCase(Locale.ROOT);
    try (IptablesFolder programs = new IptablesFolder(kind);
        KubeProxyNode node =
            new KubeProxyNode(lab.node(), "iptables", settings, programs.environment())) {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
      // It creates the chains by which it notices a flush independently of the rules.
      return Await.until(
          "all of kube-proxy's rules",
          () -> saved(lab, variant),
          saved -> saved.values().stream().allMatch(it -> it.tables().containsKey(Chains.MANGLE)));
    }
  }

  private static Map<IpFamily, Saved> saved(Lab lab, Variant variant) {
    Map<IpFamily, Saved> saved = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      saved.put(
          family,
          // Our mark is the one thing that tells our rules from theirs.
          Saved.read(
              variant,
              family,
              program ->
                  lab.node()
                      .exec(program)
                      .replace("-m comment --comment \"" + RuleText.OUR_MARK + "\" ", "")));
    }
    return saved;
  }
}
