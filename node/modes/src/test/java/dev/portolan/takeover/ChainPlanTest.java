package dev.portolan.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.takeover.ChainPlan.Jump;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kube-proxy's, and what is not. */
final class ChainPlanTest {
  @ParameterizedTest
  @CsvSource({
    "nat, KUBE-SERVICES, true",
    "nat, KUBE-MARK-MASQ, true",
    "nat, KUBE-NODE-PORT, true",
    "nat, KUBE-SVC-ERIFXISQEP7F7OF4, true",
    "nat, KUBE-SEP-ERIFXISQEP7F7OF4, true",
    "nat, KUBE-SVL-ERIFXISQEP7F7OF4, true",
    "nat, KUBE-EXT-ERIFXISQEP7F7OF4, true",
    "nat, KUBE-FW-ERIFXISQEP7F7OF4, true",
    "nat, KUBE-SVC-ERIFXISQEP7F7OF, false",
    "nat, KUBE-SVC-erifxisqep7f7of4, false",
    "nat, KUBE-POD-FW-ERIFXISQEP7F7OF4, false",
    "filter, KUBE-SVC-ERIFXISQEP7F7OF4, false",
    "filter, KUBE-IPVS-OUT-FILTER, true",
    "filter, KUBE-SOURCE-RANGES-FIREWALL, true",
    "filter, KUBE-PROXY-CANARY, true",
    "mangle, KUBE-PROXY-CANARY, true",
    "mangle, KUBE-SERVICES, false",
    "raw, KUBE-SERVICES, false",
    "filter, KUBE-FIREWALL, false",
    "nat, KUBE-MARK-DROP, false",
    "mangle, KUBE-KUBELET-CANARY, false",
    "mangle, KUBE-IPTABLES-HINT, false",
    "filter, INPUT, false"
  })
  void chainsAreKnownByTableAndName(String table, String chain, boolean owned) {
    assertThat(KubeChains.isOwned(table, chain)).isEqualTo(owned);
  }

  /** The name of a chain that ends in a number in the digits that such names have. */
  private static String name(int number) {
    StringBuilder name = new StringBuilder("KUBE-SVC-");
    for (int rest = number, digits = 0; digits < 16; digits++, rest /= 6) {
      name.append((char) ('2' + rest % 6));
    }
    return name.toString();
  }

  /** Looking at all jumps for each of these chains would not end within the timeout. */
  @Test
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void allChainsOfALargeClusterCanBeKept() {
    int count = 400_000;
    List<String> chains = new ArrayList<>(List.of("MINE", "KUBE-SERVICES"));
    List<Jump> jumps = new ArrayList<>(List.of(new Jump("MINE", "KUBE-SERVICES", "1")));
    for (int i = 0; i < count; i++) {
      String chain = name(i);
      chains.add(chain);
      jumps.add(new Jump("KUBE-SERVICES", chain, Integer.toString(i)));
    }
    ChainPlan plan = ChainPlan.of("nat", chains, jumps, (table, chain) -> false);
    assertThat(plan.isEmpty()).isTrue();
    assertThat(plan.kept()).hasSize(count + 1);
  }

  @Test
  void whatAKeptChainNeedsIsKeptToo() {
    Jump entry = new Jump("PREROUTING", "KUBE-SERVICES", "1");
    ChainPlan plan =
        ChainPlan.of(
            "nat",
            List.of("PREROUTING", "MINE", "KUBE-SERVICES", "KUBE-NODEPORTS", "KUBE-MARK-MASQ"),
            List.of(
                entry,
                new Jump("MINE", "KUBE-NODEPORTS", "2"),
                new Jump("KUBE-SERVICES", "KUBE-NODEPORTS", "3"),
                new Jump("KUBE-NODEPORTS", "KUBE-MARK-MASQ", "4"),
                new Jump("PREROUTING", "MINE", "5")),
            (table, chain) -> false);
    assertThat(plan.jumps()).containsExactly(entry);
    assertThat(plan.chains()).containsExactly("KUBE-SERVICES");
    assertThat(plan.kept())
        .containsEntry("KUBE-NODEPORTS", "MINE")
        .containsEntry("KUBE-MARK-MASQ", "KUBE-NODEPORTS");
  }
}
