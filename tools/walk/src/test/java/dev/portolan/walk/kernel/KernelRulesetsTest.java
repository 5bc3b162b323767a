package dev.portolan.walk.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Lab;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.walk.Ruleset;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which rules for services a kernel has is found without being told. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft-restore", "iptables-legacy-restore"})
class KernelRulesetsTest {
  @AutoClose private final Lab lab = Lab.open();

  private List<String> found() {
    return KernelRulesets.read(Optional.of(lab.node().path())).stream()
        .map(Ruleset::description)
        .toList();
  }

  private NodeUnderTest programmed(BackendUnderTest backend) {
    NodeUnderTest node = new NodeUnderTest(lab.node(), backend, NodeSettings.DEFAULT);
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
    return node;
  }

  private static BackendUnderTest iptables(Variant variant) {
    return () -> new IptablesBackend(IptablesOptions.DEFAULT.with(variant));
  }

  @Test
  void everyKindOfRulesIsFoundAndNothingElse() {
    assertThat(found()).isEmpty();
    try (NodeUnderTest node = programmed(iptables(Variant.NFT))) {
      assertThat(node.image().services().size()).isPositive();
      assertThat(found()).containsExactly("iptables-nft, chains of Portolan");
    }
    try (NodeUnderTest node = programmed(iptables(Variant.LEGACY));
        NodeUnderTest other = programmed(() -> new NftablesBackend(NftablesOptions.DEFAULT))) {
      assertThat(node.image()).isEqualTo(other.image());
      assertThat(found())
          .hasSize(2)
          .anyMatch(it -> it.startsWith("nftables, tables "))
          .contains("iptables-legacy, chains of Portolan");
    }
    assertThat(found()).isEmpty();
  }

  @Test
  void rulesOfOtherKindsThatAreNotFollowedAreNamed() {
    Optional<Path> namespace = Optional.of(lab.node().path());
    try (NodeUnderTest node = programmed(() -> new NftablesBackend(NftablesOptions.DEFAULT))) {
      assertThat(node.image().services().size()).isPositive();
      Ruleset rules = KernelRulesets.read(namespace).getFirst();
      assertThat(KernelRulesets.unseen(rules, namespace)).isEmpty();
      // Without a match of its own, iptables-nft writes what any program writes.
      lab.node().exec("iptables-nft", "-A", "FORWARD", "-p", "udp", "-j", "DROP");
      assertThat(KernelRulesets.unseen(KernelRulesets.read(namespace).getFirst(), namespace))
          .isEmpty();
      lab.node().exec("sh", "-ec", "iptables-nft -A FORWARD -m conntrack --ctstate NEW -j DROP");
      lab.node().exec("iptables-legacy", "-P", "FORWARD", "DROP");
      assertThat(KernelRulesets.unseen(KernelRulesets.read(namespace).getFirst(), namespace))
          .containsExactly("iptables-nft, table ip filter", "iptables-legacy");
    }
  }

  @Test
  void tablesBesideChainsOfIptablesAreNamed() {
    Optional<Path> namespace = Optional.of(lab.node().path());
    try (NodeUnderTest node = programmed(iptables(Variant.NFT))) {
      assertThat(node.image().services().size()).isPositive();
      Ruleset rules = KernelRulesets.read(namespace).getFirst();
      assertThat(KernelRulesets.unseen(rules, namespace)).isEmpty();
      lab.node().exec("nft", "add table inet firewall");
      assertThat(KernelRulesets.unseen(rules, namespace)).isEmpty();
      lab.node().exec("nft", "add chain inet firewall c { type filter hook forward priority 0 ; }");
      assertThat(KernelRulesets.unseen(rules, namespace))
          .containsExactly("nftables, table inet firewall");
    }
  }
}
