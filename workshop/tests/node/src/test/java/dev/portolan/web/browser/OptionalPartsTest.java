package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.portolan.web.browser.ChartBrowser.row;
import static dev.portolan.web.browser.ChartBrowser.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.web.ChartFixture;
import dev.portolan.web.http.ChartListener;
import dev.portolan.web.http.ChartServer;
import dev.portolan.web.http.FedChart;
import dev.portolan.wiring.NodeProgress;
import dev.portolan.wiring.TrafficReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What only some servers have: the progress of nodes, counters, a recording, a token. */
@NeedsChromium
class OptionalPartsTest {
  private static final NamespacedName WEB = new NamespacedName("shop", "web");

  @RegisterExtension static final ChartBrowser BROWSER = new ChartBrowser();

  private final Deque<AutoCloseable> servers = new ArrayDeque<>();

  @AfterEach
  void end() throws Exception {
    while (!servers.isEmpty()) {
      servers.pop().close();
    }
  }

  private <T extends AutoCloseable> T serving(T server) {
    servers.push(server);
    return server;
  }

  @Test
  void theFleetShowsWhoIsBehindAndWhoFailed() {
    AtomicReference<NodeProgress> second =
        new AtomicReference<>(progress("worker-2", 7, Duration.ofSeconds(41), true, ""));
    NodeProgress first = progress("worker-1", 9, Duration.ZERO, true, "");
    NodeProgress third =
        progress("worker-3", 3, Duration.ofMinutes(9), false, "the kernel refused");
    FedChart chart =
        serving(
            ChartFixture.shop(
                subject -> subject.following(() -> List.of(first, second.get(), third))));
    Page page = BROWSER.open(chart.url(), "#/nodes");
    Locator table = table(page, "Nodes");
    assertThat(row(table, "worker-1")).containsText("current");
    assertThat(row(table, "worker-2")).containsText("behind");
    assertThat(row(table, "worker-2")).containsText("41 s");
    assertThat(row(table, "worker-3")).containsText("error");
    assertThat(row(table, "worker-3")).containsText("the kernel refused");
    assertThat(table.getByRole(AriaRole.ROW).nth(1)).containsText("worker-3");
    assertThat(page.locator(".grid a")).hasCount(3);
    assertThat(AccessibilityTest.findings(page)).isEmpty();
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("behind")).click();
    assertThat(table).hasAttribute("aria-rowcount", "2");
    second.set(progress("worker-2", 9, Duration.ZERO, true, ""));
    assertThat(table).hasAttribute("aria-rowcount", "1");
    ChartBrowser.go(page, "#/node?name=worker-3");
    assertThat(page.locator(".problem")).hasText("the kernel refused");
    assertThat(page.locator("main")).containsText("revision 3 of 9");
  }

  @Test
  void trafficIsTheDifferenceOfTwoReadings() {
    Instant start = Instant.now();
    FedChart chart =
        serving(ChartFixture.shop(subject -> subject.counting(() -> Optional.of(counted(start)))));
    Page services = BROWSER.open(chart.url(), "");
    assertThat(row(table(services, "Services"), "shop/web").locator(".rate")).hasText("10.0");
    Page service = BROWSER.open(chart.url(), "#/service?id=shop/web");
    Locator traffic =
        service
            .getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Traffic"))
            .getByRole(AriaRole.ROW)
            .last();
    assertThat(traffic).containsText("80/TCP");
    assertThat(traffic).containsText("10.0");
    assertThat(AccessibilityTest.findings(service)).isEmpty();
  }

  @Test
  void aRecordingGivesAServiceItsHistory() {
    Path recording = RepositoryRoot.resolve("examples/recordings/shop.rec");
    FedChart chart = serving(ChartFixture.shop(subject -> subject.recordedIn(recording)));
    Page page = BROWSER.open(chart.url(), "#/service?id=shop/web");
    assertThat(page.getByLabel("History")).containsText("-10.244.1.51:8080");
    assertThat(page.getByLabel("History"))
        .containsText("endpoints[10.244.1.51].conditions.ready: true -> false");
    assertThat(AccessibilityTest.findings(page)).isEmpty();
  }

  @Test
  void aTokenIsAskedForAndKeptInTheTab(@TempDir Path folder) throws IOException {
    BROWSER.forgive("status of 401");
    ChartServer server = withToken(folder);
    Page page = BROWSER.visit(server.url(), "#/service?id=shop/web");
    assertThat(page.locator("h1")).hasText("This chart needs a token");
    assertThat(AccessibilityTest.findings(page)).isEmpty();
    page.getByLabel("Token").fill("wrong");
    page.getByLabel("Token").press("Enter");
    assertThat(page.getByLabel("Token")).hasValue("");
    page.getByLabel("Token").fill("a-token-of-this-test-0123456789");
    page.getByLabel("Token").press("Enter");
    assertThat(page.locator("h1")).hasText("shop/web");
    page.reload();
    assertThat(page.locator("h1")).hasText("shop/web");
  }

  @Test
  void aTokenInTheUrlIsTakenOutOfIt(@TempDir Path folder) throws IOException {
    Page page = BROWSER.open(withToken(folder).url(), "#token=a-token-of-this-test-0123456789");
    assertThat(table(page, "Services")).hasAttribute("aria-rowcount", "10");
    assertThat(page.url()).doesNotContain("token");
    page.reload();
    assertThat(table(page, "Services")).hasAttribute("aria-rowcount", "10");
  }

  private ChartServer withToken(Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "a-token-of-this-test-0123456789\n");
    return serving(
        serving(ChartFixture.shop())
            .serve(ChartListener.parse("127.0.0.1:0", Optional.empty(), Optional.of(file))));
  }

  private static NodeProgress progress(
      String node, long applied, Duration lag, boolean connected, String error) {
    return new NodeProgress(node, 9, applied, lag, connected, error, "", Optional.of(2L));
  }

  /** Ten connections per second. */
  private static TrafficReading counted(Instant start) {
    long connections = Duration.between(start, Instant.now()).toMillis() / 100;
    return new TrafficReading(
        start.plusMillis(connections * 100),
        List.of(
            new TrafficReading.OfService(
                WEB, List.of(new TrafficReading.OfPort("80/TCP", connections, 0, 0)))));
  }
}
