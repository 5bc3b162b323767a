package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.web.ChartFixture;
import dev.portolan.web.http.FedChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Takes the pictures of {@code docs/chart.md}: into {@code docs/images} with {@code
 * -Dportolan.screenshots=true}, otherwise into {@code target}.
 */
@NeedsChromium
class ScreenshotsTest {
  private static final int MOST_BYTES = 150_000;

  @RegisterExtension static final ChartBrowser BROWSER = new ChartBrowser();

  @AutoClose private static FedChart chart;

  /** One picture: its file, the place in the chart, what is there when it is drawn. */
  private record Picture(
      String file, String place, String there, Consumer<Browser.NewContextOptions> screen) {}

  private static final List<Picture> PICTURES =
      List.of(
          new Picture("chart-services", "#/services", ".row .mark", options -> size(options, 560)),
          new Picture(
              "chart-service",
              "#/service?id=shop/storefront&node=worker-2",
              ".endpoint",
              options -> size(options, 720)),
          new Picture(
              "chart-explain",
              "#/explain?target=shop/web&client=198.51.100.7&node=worker-1",
              ".steps",
              options -> size(options, 740)),
          new Picture(
              "chart-whatif",
              "#/whatif?drain=worker-1&drain=worker-2",
              ".profile span:last-child i:not(.zero)",
              options -> ChartBrowser.night(size(options, 680))),
          new Picture(
              "chart-phone",
              "#/service?id=shop/cart",
              ".endpoint",
              options -> options.setViewportSize(390, 800)));

  @BeforeAll
  static void serve() {
    // Places as they are called from the project's folder.
    chart =
        ChartFixture.shop(subject ->
            subject.placed(
                object -> subject.places().apply(object).map(place -> place.replace("../", ""))));
  }

  @Test
  void picturesForTheDocumentationAreSmall() throws IOException {
    Path folder =
        Boolean.getBoolean("portolan.screenshots")
            ? RepositoryRoot.resolve("docs/images")
            : Path.of("target/screenshots");
    Files.createDirectories(folder);
    for (Picture picture : PICTURES) {
      Page page = BROWSER.open(chart.url(), picture.place(), picture.screen());
      assertThat(page.locator(picture.there()).first()).isVisible();
      Path file = folder.resolve(picture.file() + ".png");
      var _ = page.screenshot(new Page.ScreenshotOptions().setPath(file));
      assertThat(Files.size(file)).as(picture.file()).isBetween(5_000L, (long) MOST_BYTES);
    }
  }

  private static Browser.NewContextOptions size(Browser.NewContextOptions options, int height) {
    return options.setViewportSize(1200, height);
  }
}
