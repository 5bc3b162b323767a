package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.lab.Lab;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.NeedsKernel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An audit finds nothing in rules that our backends wrote, whatever the node's settings. */
@NeedsKernel(tools = {"ip", "iptables-nft-restore", "iptables-legacy-restore"})
class CleanRulesTest {
  private static final List<AuditedNode.Kind> KINDS =
      List.of(
          AuditedNode.Kind.NFTABLES,
          AuditedNode.Kind.IPTABLES_NFT,
          AuditedNode.Kind.IPTABLES_LEGACY);

  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (PacketTable table : PacketTable.ofEachSetting()) {
      for (AuditedNode.Kind kind : KINDS) {
        trials.add(Arguments.of(kind, table));
      }
    }
    return trials;
  }

  @ParameterizedTest
  @MethodSource("trials")
  void nothingIsWrong(AuditedNode.Kind kind, PacketTable table) {
    try (AuditedNode node = new AuditedNode(lab, kind, table.settings())) {
      AuditResult result = node.audit();
      assertThat(result.differences()).isEmpty();
      assertThat(result.packets()).isGreaterThan(100);
      assertThat(result.comparedRules()).isTrue();
    }
  }

  @ParameterizedTest
  @FieldSource("KINDS")
  void anAddressThatTheHostLacksIsNotAskedForNodePorts(AuditedNode.Kind kind) {
    try (AuditedNode node =
        new AuditedNode(lab, kind, TranslatedAddress.settings(), TranslatedAddress.cluster())) {
      AuditResult result = node.audit();
      assertThat(result.differences()).isEmpty();
      assertThat(result.lacking()).containsExactly(TranslatedAddress.ADDRESS);
    }
  }
}
