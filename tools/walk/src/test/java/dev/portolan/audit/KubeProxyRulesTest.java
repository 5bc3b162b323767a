package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.lab.Lab;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.AtNight;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testkit.peers.NeedsBuilt;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An audit finds nothing in rules that the real kube-proxy wrote, whatever the node's settings. */
@AtNight
@NeedsKernel(tools = {"ip", "nft", "iptables-nft-restore"})
@NeedsBuilt("kube-proxy")
class KubeProxyRulesTest {
  private static final List<String> MODES = List.of("nftables", "iptables");

  @AutoClose private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (String mode : MODES) {
      PacketTable.ofEachSetting().forEach(table -> trials.add(Arguments.of(mode, table)));
    }
    return trials;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("trials")
  void nothingIsWrong(String mode, PacketTable table) {
    try (AuditedKubeProxy node = new AuditedKubeProxy(lab, mode, table.settings())) {
      AuditResult result = node.audit();
      assertThat(result.differences()).isEmpty();
      assertThat(result.packets()).isGreaterThan(100);
    }
  }

  @ParameterizedTest
  @FieldSource("MODES")
  void anAddressThatTheHostLacksIsNotAskedForNodePorts(String mode) {
    try (AuditedKubeProxy node =
        new AuditedKubeProxy(
            lab, mode, TranslatedAddress.settings(), TranslatedAddress.cluster())) {
      AuditResult result = node.audit();
      assertThat(result.differences()).isEmpty();
      assertThat(result.lacking()).containsExactly(TranslatedAddress.ADDRESS);
    }
  }
}
