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
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.walk.Ruleset;
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
}
