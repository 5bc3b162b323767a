package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WhatIfTest {
  @Test
  void aDrainSaysWhatFailsAndWhatCarriesMore() {
    Result result = whatIf("--drain worker-2");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEmpty();
    assertThat(result.lines())
        .containsExactly(
            "drain worker-2: 6 endpoints of 5 services go",
            "",
            "would be refused or dropped",
            "  SERVICE          TRAFFIC  WOULD BE  ON",
            "  shop/admin:http  all      rejected  all 2 nodes",
            "",
            "would be served by more or fewer",
            "  SERVICE             ENDPOINTS  LOAD PER ENDPOINT",
            "  shop/cart:grpc      2 → 1      x2.0",
            "  shop/web:http       2 → 1      x2.0",
            "  shop/web:http IPv6  2 → 1      x2.0",
            "  shop/catalog:http   3 → 2      x1.5",
            "",
            "unchanged: 5 services, as seen from 2 nodes that stay",
            "Pods that are scheduled elsewhere would serve again.");
  }

  @Test
  void nothingFailsWhereEnoughIsLeft() {
    Result result = whatIf("--drain worker-3");
    assertThat(result.status()).isZero();
    assertThat(result.out()).doesNotContain("refused");
  }

  @Test
  void eventsHappenTogether() {
    Result result = whatIf("--scale shop/web=1 --not-ready 10.244.1.51");
    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains(
            "10.244.1.51 and fd00:10:244:1::51 on worker-1, which is not ready, goes",
            "shop/web:http       2 → 1")
        .doesNotContain("scheduled elsewhere");
    assertThat(whatIf("--scale shop/web=0").status()).isEqualTo(1);
  }

  @Test
  void moreEndpointsAreImagined() {
    assertThat(whatIf("--scale shop/cart=5").out())
        .contains("  10.244.3.254 on worker-3 (new)\n", "2 → 5      x0.4")
        .endsWith("unchanged: 8 services, as seen from 3 nodes\n");
  }

  @Test
  void serviceThatIsDeletedIsNotServed() {
    assertThat(whatIf("--delete svc/shop/cart").out())
        .contains("internal  not served  all 3 nodes");
  }

  @Test
  void programsGetATree() {
    Map<String, Object> tree = whatIf("--lose zone-a -o yaml").tree();
    assertThat(tree)
        .containsEntry("kind", "WhatIf")
        .containsEntry("breaks", true)
        .containsEntry("nodes", 1)
        .containsEntry("nodesGone", List.of("worker-1", "worker-2"));
    assertThat(Shell.list(tree.get("broken")).getFirst())
        .containsEntry("name", "admin")
        .containsEntry("after", "reject")
        .containsEntry("traffic", List.of("internal", "external", "shortCircuit"));
    assertThat(Shell.list(tree.get("loads")).getFirst()).containsEntry("loadPerEndpoint", 2.0);
  }

  @Test
  void tablesFitTheScreen() {
    Result result =
        Shell.onScreen(80, "whatif", "--from", "file:" + Shell.SHOP, "--lose", "zone-a");
    assertThat(result.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          -o yaml | nothing is to happen; say what with --drain, --lose, --delete, --scale or --not-ready
          --drain worker-9 | no Node 'worker-9'; did you mean worker-1 or worker-2 or worker-3?
          --scale web=2 | --scale: 'web=2' must be NAMESPACE/SERVICE=PODS, such as shop/web=2
          --delete web | --delete: 'web' does not name an object; write pod/NAMESPACE/NAME
          --not-ready web | --not-ready: 'web' is not a valid IP address of an endpoint
          --drain worker-1 -o wide | -o: 'wide' is not allowed
          """)
  void mistakesAreSaid(String words, String sentence) {
    Result result = whatIf(words);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("portolan: " + sentence);
  }

  private static Result whatIf(String words) {
    return Shell.over(Shell.SHOP, "whatif", words.split(" "));
  }
}
