package dev.portolan.nftables.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.testbase.NeedsKernel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found of what others did to a table, and how little is written to mend it. */
@NeedsKernel(tools = {"ip", "nft"})
final class TablesTest {
  @AutoClose private final TestNamespace place = new TestNamespace();

  @AutoClose
  private final Tables tables =
      new Tables("lab", place.path(), new SharedSets(Set.of(), Set.of()), false);

  @BeforeEach
  void write() {
    assertThat(reconcile().repaired()).isPositive();
    assertThat(preview()).as("what was just written").isEmpty();
  }

  private static TableState wanted() {
    TableState table = new TableState(IpFamily.IPV4);
    table.add(
        "services",
        SetType.verdicts("", PacketField.DESTINATION, PacketField.PROTOCOL, PacketField.PORT));
    for (int i = 1; i < 4; i++) {
      table.add(
          "services",
          new Entry.OfService(Ip.v4(0x0a600000 + i), Protocol.TCP, 80, NftVerdict.DROP, ""));
    }
    table.add(Chain.of("first", "", Rule.of(new Statement.Go(NftVerdict.ACCEPT))));
    table.add(
        Chain.of(
            "second",
            "",
            Rule.of(new Statement.Go(NftVerdict.jump("first"))),
            Rule.of(new Statement.Go(NftVerdict.DROP))));
    return table;
  }

  private Audit reconcile() {
    return tables.reconcile(there -> Map.of(IpFamily.IPV4, wanted()));
  }

  private List<String> preview() {
    return tables.preview(there -> Map.of(IpFamily.IPV4, wanted()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delete element ip lab services { 10.96.0.2 . tcp . 80 }       | + element ip lab services { 10.96.0.2 . tcp . 80 : drop }
          flush chain ip lab first                                      | ~ chain ip lab first: 1 rule
          add rule ip lab first drop                                    | ~ chain ip lab first: 1 rule
          insert rule ip lab second drop                                | ~ chain ip lab second: 2 rules
          add chain ip lab third                                        | - chain ip lab third
          add set ip lab more { type ipv4_addr; }                       | - set or map ip lab more
          """)
  void aChangeIsFoundAndMended(String change, String found) {
    String before = place.run("nft", "list", "ruleset");
    place.nft(change);
    assertThat(preview()).containsExactly(found);
    assertThat(reconcile().repaired()).isEqualTo(1);
    tables.tidy();
    assertThat(place.run("nft", "list", "ruleset")).isEqualTo(before);
    assertThat(preview()).isEmpty();
  }

  @Test
  void anotherValueOfAKeyIsReplaced() {
    place.nft(
        """
        delete element ip lab services { 10.96.0.2 . tcp . 80 }
        add element ip lab services { 10.96.0.2 . tcp . 80 : accept }
        """);
    assertThat(preview())
        .containsExactly("~ element ip lab services { 10.96.0.2 . tcp . 80 : drop }");
    assertThat(reconcile().repaired()).isEqualTo(1);
    assertThat(preview()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete table ip lab",
        "add table ip lab { flags dormant; }",
        "flush table ip lab; delete map ip lab services;"
            + " add set ip lab services { type ipv4_addr; }"
      })
  void whatCannotBeChangedIsMadeAnew(String change) {
    String before = place.run("nft", "list", "ruleset");
    place.nft(change);
    assertThat(preview()).contains("+ table ip lab");
    assertThat(reconcile().repaired()).isPositive();
    assertThat(place.run("nft", "list", "ruleset")).isEqualTo(before);
  }
}
