package dev.portolan.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.audit.AuditDifference.Basis;
import dev.portolan.brain.NodeSettings;
import dev.portolan.lab.Lab;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.Tampering;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An audit finds whatever a file of tamperings does to the rules of one proxy, and nothing before
 * and after. The rules are written once, and put back each time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TamperedRules {
  private final String file;
  private Lab lab;
  private TamperedNode node;

  /** Of the tamperings in {@code file}. */
  TamperedRules(String file) {
    this.file = file;
  }

  /** Lets the proxy write its rules. */
  abstract TamperedNode open(Lab place, NodeSettings settings);

  /** Frees what {@link #open} made beside the node. */
  void tidy() {}

  @BeforeAll
  void build() {
    lab = Lab.open();
    node = open(lab, PacketTable.all().getFirst().settings());
    assertThat(node.audit().differences()).isEmpty();
  }

  @AfterAll
  void tearDown() {
    try {
      assertThat(node.audit().differences()).isEmpty();
    } finally {
      node.close();
      lab.close();
      tidy();
    }
  }

  List<Tampering> tamperings() {
    return Tampering.all(file);
  }

  @ParameterizedTest
  @MethodSource("tamperings")
  void itIsFound(Tampering tampering) {
    try {
      node.tamper(tampering);
      AuditResult result = node.audit();
      boolean compared = result.comparedRules();
      assertThat(has(result, Basis.PACKETS))
          .as("found by packets")
          .isEqualTo(tampering.byPackets());
      assertThat(has(result, Basis.RULES))
          .as("found by rules")
          .isEqualTo(tampering.byRules() && compared);
      if (tampering.byPackets() || compared) {
        assertThat(result.differences().stream().map(AuditDifference::toString))
            .anyMatch(line -> line.contains(tampering.finds()));
      }
    } finally {
      node.restore();
    }
  }

  private static boolean has(AuditResult result, Basis basis) {
    return result.differences().stream().anyMatch(it -> it.basis() == basis);
  }
}
