package dev.portolan.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.HttpPage;
import dev.portolan.sessions.Shell;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.web.http.FedChart;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page may ask of commands; the other questions are tested in tools/chart. */
final class ChartCommandsTest {
  @AutoClose
  private static final FedChart SHOP =
      ChartFixture.shop(
          subject -> subject.recordedIn(RepositoryRoot.resolve("examples/recordings/shop.rec")));

  @Test
  void theHistoryIsThatOfTheRecording() throws Exception {
    Map<String, Object> history = Shell.tree(ask(SHOP, "history?id=shop/web", 200));
    assertThat(history).containsEntry("available", true);
    assertThat(history.get("text")).asString().contains("6 changes of shop/web");
  }

  @Test
  void whereNothingIsRecordedThereIsNoHistory() throws Exception {
    try (FedChart plain = ChartFixture.shop()) {
      assertThat(Shell.tree(ask(plain, "history?id=shop/web", 200)))
          .isEqualTo(Map.of("available", false));
    }
  }

  @Test
  void aServiceOfALargeClusterIsExplainedForAllNodes() throws Exception {
    try (FedChart large = ChartFixture.large(10_000, 1_000)) {
      String all = ask(large, "explain?target=ns-00/svc-00000&all=true", 200);
      assertThat(Shell.map(Shell.tree(all).get("json"))).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "explain?target=shop/web, 400, file:examples/shop has several Nodes, ''",
    "explain?target=&node=worker-1, 400, '', ''",
    "explain?target=shop/web&node=worker-1&mode=x, 400, the mode 'x' is not known here, ''",
    "explain?target=shop/web&node=worker-1&client=x, 400, is not a valid client, ''",
    "explain?target=shop/web&node=w9, 404, no Node 'w9' in file:examples/shop, PORT-103",
    "whatif, 400, nothing is to happen, ''",
    "whatif?drain=w9, 404, no Node 'w9', PORT-103",
    "whatif?scale=x, 400, scale: 'x', ''",
    "history?id=shop/none, 404, no service 'shop/none', PORT-103",
    "history, 400, name a service, ''"
  })
  void mistakesGetASentence(String question, int status, String sentence, String code)
      throws Exception {
    Map<String, Object> answer = Shell.tree(ask(SHOP, question, status));
    assertThat(String.valueOf(answer.get("error")))
        .contains(sentence)
        .doesNotContain("Exception", "[PORT");
    assertThat(answer).containsEntry("code", code);
  }

  private static String ask(FedChart chart, String question, int status) throws Exception {
    HttpPage page = HttpPage.read(chart.url() + "api/" + question);
    assertThat(page.status()).as(page.body()).isEqualTo(status);
    return page.body();
  }
}
