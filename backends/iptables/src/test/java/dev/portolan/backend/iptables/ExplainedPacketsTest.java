package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.packets.ExplainerJudge;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Trial;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An explanation for this mode says of every packet what the rules do with it. */
class ExplainedPacketsTest {
  static List<PacketTable> tables() {
    return Expected.explained();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theExplainerAgrees(PacketTable table) {
    Trial.Report report = Trial.run(table, new ExplainerJudge(IptablesOptions.DEFAULT.dataplane()));
    report.orThrow();
    assertThat(report.judged()).isEqualTo(table.packets().size());
  }
}
