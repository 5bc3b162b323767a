package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.web.ChartFixture;
import dev.portolan.web.http.FedChart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every page says whether what it shows is what there is now, and if not, why and since when. */
@NeedsChromium
class SourceStateTest {
  private static final List<String> PLACES =
      List.of(
          "#/services",
          "#/service?id=shop/web",
          "#/nodes",
          "#/node?name=worker-1",
          "#/changes",
          "#/explain",
          "#/whatif");

  @RegisterExtension static final ChartBrowser BROWSER = new ChartBrowser();

  @AutoClose private final FedChart chart = ChartFixture.shop();

  @Test
  void aServerThatIsLostIsNotLiveOnAnyPage() {
    var _ = chart.from(Source.Kind.SERVER, Optional.empty());
    List<Page> pages = PLACES.stream().map(place -> BROWSER.open(chart.url(), place)).toList();
    for (Page page : pages) {
      assertThat(status(page)).hasText("Live");
      assertThat(page.locator("#live .origin")).hasText(Pattern.compile("\\d\\d:\\d\\d, file:"));
    }
    chart.source().retrying(ErrorCode.API_SERVER_UNREACHABLE, "connection refused", "retrying");
    for (Page page : pages) {
      assertThat(status(page)).hasText("Lost");
      assertThat(notice(page))
          .hasText(
              Pattern.compile(
                  "file:examples/shop has not answered since \\d\\d:\\d\\d:\\d\\d\\. What you see"
                      + " is as of \\d\\d:\\d\\d:\\d\\d\\. connection refused \\[PORT-202]"));
      shoot(page, "lost");
    }
    chart.source().recovered();
    for (Page page : pages) {
      assertThat(status(page)).hasText("Live");
      assertThat(notice(page)).isHidden();
    }
  }

  @Test
  void aFileThatCannotBeReadIsSaidAndAlsoAfterAReload() {
    Page page = BROWSER.open(chart.url(), "");
    assertThat(status(page)).hasText("Files");
    chart.source().retrying(ErrorCode.MANIFEST, "a.yaml:3: not valid YAML", "the state stays");
    assertThat(status(page)).hasText("Unreadable");
    page.reload();
    assertThat(status(page)).hasText("Unreadable");
    assertThat(notice(page)).containsText("has been unreadable since ");
    assertThat(notice(page)).containsText("a.yaml:3: not valid YAML [PORT-102]");
  }

  @Test
  void aRecordingIsNamedWithItsTime() {
    var _ = chart.from(Source.Kind.RECORDING, Optional.of(Instant.parse("2026-03-12T03:12:00Z")));
    for (String place : PLACES) {
      Page page = BROWSER.open(chart.url(), place);
      assertThat(status(page)).hasText("Recording");
      assertThat(notice(page))
          .hasText("A recording, file:examples/shop, as it was at 12 Mar 2026, 03:12:00.");
      shoot(page, "recording");
    }
    Page page = BROWSER.open(chart.url(), "#/changes");
    assertThat(page.locator("main")).containsText("A recording changes only while it is played");
  }

  @Test
  void aServerOfTheChartThatFellSilentIsNoticed() throws IOException {
    BROWSER.forgive("net::ERR_");
    try (SilentRelay relay = new SilentRelay(chart.url())) {
      Page page = BROWSER.visit(relay.url(), "");
      page.clock().install();
      page.reload();
      assertThat(status(page)).hasText("Files");
      relay.silence();
      page.clock().fastForward(16_000);
      assertThat(status(page)).hasText("Reconnecting");
      assertThat(notice(page)).containsText("The chart's server has not answered since ");
      relay.speak();
      assertThat(status(page)).hasText("Files");
      assertThat(notice(page)).isHidden();
    }
  }

  @Test
  void theStateFitsOnEveryScreen() {
    var _ = chart.from(Source.Kind.SERVER, Optional.empty());
    chart
        .source()
        .retrying(
            ErrorCode.API_SERVER_UNREACHABLE,
            "https://a-name-of-some-length.example.internal:6443: connection refused; is it up?",
            "retrying");
    for (int width : List.of(390, 768, 1280)) {
      Page page =
          BROWSER.open(
              chart.url(),
              "",
              options -> ChartBrowser.night(options.setViewportSize(width, 780)),
              "#live.lost");
      org.assertj.core.api.Assertions.assertThat(
              page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
          .as("nothing is wider than a screen of " + width)
          .isEqualTo(true);
      shoot(page, "night-" + width);
    }
  }

  private static Locator status(Page page) {
    return page.locator("#live [role=status]");
  }

  private static Locator notice(Page page) {
    return page.locator("#notice");
  }

  /** A picture for people. */
  private static void shoot(Page page, String name) {
    String place = page.url().replaceAll("[?].*", "").replaceAll(".*/", "");
    var _ =
        page.screenshot(
            new Page.ScreenshotOptions()
                .setPath(Path.of("target/screenshots", name + "-" + place + ".png")));
  }
}
