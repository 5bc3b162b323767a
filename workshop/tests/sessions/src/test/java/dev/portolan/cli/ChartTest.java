package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.sessions.Background;
import dev.portolan.sessions.HttpPage;
import dev.portolan.sessions.Shell;
import dev.portolan.sessions.Shell.Result;
import dev.portolan.source.record.Recording;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart is asked over HTTP, and says what other commands say; its mistakes are sessions. */
final class ChartTest {
  private static final Path RECORDING = Shell.EXAMPLES.resolve("recordings/shop.rec");
  private static final Pattern URL = Pattern.compile("http://127.0.0.1:\\d+/");

  @AutoClose private static Background shop;
  private static String url;

  @BeforeAll
  static void start() throws InterruptedException {
    shop = new Background("chart", "--from", "file:" + Shell.SHOP);
    url = url(shop);
  }

  private static String url(Background chart) throws InterruptedException {
    chart.await(chart.out, "/\n");
    Matcher found = URL.matcher(chart.out.toString());
    assertThat(found.find()).as(chart.out.toString()).isTrue();
    return found.group();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--node worker-1 shop/web",
        "--node worker-1 shop/web:http",
        "--node worker-2 shop/storefront",
        "--node worker-3 monitoring/agent",
        "--node worker-1 shop/payments",
        "--node worker-1 10.96.0.10:53/udp",
        "--node worker-1 30080 --client pod",
        "--node worker-1 30443 --client 203.0.113.9",
        "--node worker-1 10.1.2.3:80 --client node",
        "--node worker-1 shop/none",
        "--node worker-2 shop/storefront --proxy-mode iptables",
        "--node worker-2 shop/admin --proxy-mode ipvs",
        "--all-nodes shop/storefront",
        "--client pod/shop/cart-6b9c4-8hjlw shop/web"
      })
  void itExplainsAsTheCommandDoes(String words) throws Exception {
    String[] line = words.replace("--client pod/", "--from-pod ").split(" ");
    Result text = Shell.onScreen(80, explain(line));
    assertThat(text.err()).isEmpty();
    Map<String, Object> answer = get("explain?" + query(words.split(" ")));
    assertThat(answer.get("text")).isEqualTo(text.out());
    Result json = Background.run(explain(line), "-o", "json");
    assertThat(answer.get("json")).isEqualTo(json.tree());
  }

  private static String[] explain(String... words) {
    return Background.words(new String[] {"explain", "--from", "file:" + Shell.SHOP}, words);
  }

  /** The words of a command line as parameters. */
  private static String query(String... words) {
    StringBuilder query = new StringBuilder();
    for (int i = 0; i < words.length; i++) {
      String name =
          switch (words[i]) {
            case "--node", "--client" -> words[i].substring(2);
            case "--proxy-mode" -> "mode";
            case "--all-nodes" -> "all";
            default -> "target";
          };
      String value = name.equals("all") ? "true" : name.equals("target") ? words[i] : words[++i];
      query.append(name).append('=').append(encoded(value)).append('&');
    }
    return query.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "drain=worker-2, --drain worker-2",
    "lose=zone-a, --lose zone-a",
    "drain=worker-1&drain=worker-3, --drain worker-1 --drain worker-3",
    "scale=shop/web%3D1&not-ready=10.244.1.51, --scale shop/web=1 --not-ready 10.244.1.51",
    "delete=pod/shop/cart-6b9c4-8hjlw, --delete pod/shop/cart-6b9c4-8hjlw"
  })
  void itImaginesAsTheCommandDoes(String query, String words) throws Exception {
    String[] line =
        Background.words(new String[] {"whatif", "--from", "file:" + Shell.SHOP}, words.split(" "));
    Map<String, Object> answer = get("whatif?" + query);
    assertThat(answer.get("text")).isEqualTo(Shell.onScreen(80, line).out());
    assertThat(answer.get("json")).isEqualTo(Background.run(line, "-o", "json").tree());
  }

  @Test
  void aRecordingIsShownAsItWasWithItsHistory() throws Exception {
    try (Background chart = new Background("chart", "--from", "record:" + RECORDING)) {
      String at = url(chart);
      assertThat(get(at, "overview"))
          .containsEntry("history", true)
          .containsEntry("synced", true)
          .containsEntry("source", "record:" + RECORDING)
          .extractingByKey("reading", InstanceOfAssertFactories.MAP)
          .containsEntry("kind", "recording")
          .containsEntry("recordedAt", Recording.open(RECORDING).last().time().toString());
      for (List<String> node : List.of(List.<String>of(), List.of("--node", "worker-1"))) {
        String[] line =
            Background.words(
                new String[] {"history", RECORDING.toString(), "--service", "shop/web"},
                node.toArray(String[]::new));
        Map<String, Object> answer =
            get(at, "history?id=shop/web" + (node.isEmpty() ? "" : "&node=worker-1"));
        assertThat(answer.get("text")).isEqualTo(Shell.onScreen(80, line).out());
        assertThat(answer.get("json")).isEqualTo(Background.run(line, "-o", "json").tree());
      }
    }
  }

  @Test
  void aChangedFileIsSeen(@TempDir Path folder) throws Exception {
    for (String file : List.of("services.yaml", "endpointslices.yaml", "nodes.yaml")) {
      Files.copy(Shell.SHOP.resolve(file), folder.resolve(file));
    }
    try (Background chart = new Background("chart", "--from", "file:" + folder)) {
      String at = url(chart);
      assertThat(get(at, "overview")).containsEntry("services", 9);
      Files.delete(folder.resolve("services.yaml"));
      Await.until("no services", () -> get(at, "overview").get("services").equals(0));
      assertThat(chart.stop()).isZero();
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void aFileThatCannotBeReadIsNotShownAsGood(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("services.yaml");
    Files.copy(Shell.SHOP.resolve("services.yaml"), file);
    String good = Files.readString(file);
    try (Background chart = new Background("chart", "--from", "file:" + folder)) {
      String at = url(chart);
      for (String text : List.of("garbage: [", good)) {
        Files.writeString(file, text);
        Map<String, Object> reading =
            Await.until(
                "the state after " + text,
                () -> (Map<String, Object>) get(at, "overview").get("reading"),
                it -> it.get("current").equals(text.equals(good)));
        assertThat(reading.get("problem").toString())
            .startsWith(text.equals(good) ? "" : file + ":1");
      }
    }
  }

  @Test
  void aBrainServesItAndAChartCanBeMadeOfABrain(@TempDir Path folder) throws Exception {
    String socket = "unix://" + folder.resolve("api.sock");
    try (Background brain =
        new Background(
            "brain",
            "--from",
            "file:" + Shell.SHOP,
            "--listen",
            socket,
            "--chart-listen",
            "127.0.0.1:0",
            "--record",
            folder.resolve("recording").toString())) {
      brain.await(brain.err, "synced");
      Matcher served = URL.matcher(brain.err.toString());
      assertThat(served.find()).as(brain.err.toString()).isTrue();
      assertThat(get(served.group(), "overview"))
          .containsEntry("fleet", true)
          .containsEntry("history", true)
          .containsEntry("services", 9);
      // It is written after what is served.
      String history = served.group() + "api/history?id=shop/web";
      Await.until("the history", () -> HttpPage.read(history).status() == 200);
      assertThat(get(served.group(), "history?id=shop/web")).containsEntry("available", true);
      try (Background chart = new Background("chart", "--api", socket)) {
        String at = url(chart);
        assertThat(get(at, "overview"))
            .containsEntry("fleet", true)
            .containsEntry("history", false)
            .containsEntry("services", 9);
        assertThat(get(at, "nodes").get("nodes").toString()).contains("worker-3");
        assertThat(get(at, "explain?target=shop/web&node=worker-1").get("text"))
            .asString()
            .contains("10.96.20.10:80/TCP");
      }
    }
  }

  private static Map<String, Object> get(String question) throws Exception {
    return get(url, question);
  }

  private static Map<String, Object> get(String at, String question)
      throws IOException, InterruptedException {
    HttpPage page = HttpPage.read(at + "api/" + question);
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return Shell.tree(page.body());
  }
}
