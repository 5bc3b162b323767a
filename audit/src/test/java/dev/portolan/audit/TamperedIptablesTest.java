package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.lab.Lab;
import dev.portolan.netlink.lab.NeedsKernel;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.Tampering;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An audit finds whatever is done to our chains of iptables. */
@NeedsKernel(tools = {"ip", "sed", "iptables-nft-restore", "iptables-legacy-restore"})
class TamperedIptablesTest {
  private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.open();
  }

  @AfterAll
  static void tearDown() {
    lab.close();
  }

  static List<Arguments> trials() {
    List<Arguments> trials = new ArrayList<>();
    for (Tampering tampering : Tampering.all("iptables")) {
      trials.add(Arguments.of(AuditedNode.Kind.IPTABLES_NFT, tampering));
    }
    return trials;
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("trials")
  void itIsFound(AuditedNode.Kind kind, Tampering tampering) {
    try (AuditedNode node = new AuditedNode(lab, kind, PacketTable.all().getFirst().settings())) {
      node.restoringIptables(() -> {
        node.run(tampering.onIptables(kind.iptables()));
        AuditResult result = node.audit();
        assertThat(result.differences().stream().map(AuditDifference::toString))
            .anyMatch(line -> line.contains(tampering.finds()));
        assertThat(result.differences().stream().anyMatch(it -> it.basis() == Basis.PACKETS))
            .as("found by packets")
            .isEqualTo(tampering.byPackets());
        assertThat(result.differences().stream().anyMatch(it -> it.basis() == Basis.RULES))
            .as("found by rules")
            .isEqualTo(tampering.byRules());
      });
    }
  }
}
