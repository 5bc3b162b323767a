package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.portolan.web.browser.ChartBrowser.row;
import static dev.portolan.web.browser.ChartBrowser.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.portolan.testkit.FamilyCluster;
import dev.portolan.web.ChartFixture;
import dev.portolan.web.http.FedChart;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Services of both families, and such that no proxy serves. */
@NeedsChromium
class FamiliesTest {
  @RegisterExtension static final ChartBrowser BROWSER = new ChartBrowser();

  /** Whether no word of a drawing is cut at its lower edge. */
  private static final String LOWEST_INSIDE =
      """
      svg => [...svg.querySelectorAll('text')].every(text => {
        const box = text.getBBox();
        return box.y + box.height <= svg.viewBox.baseVal.height;
      })\
      """;

  @AutoClose private static FedChart chart;

  @BeforeAll
  static void serve() {
    chart = ChartFixture.of(FamilyCluster.IMAGE);
  }

  @Test
  void connectionsStayInTheirFamily() {
    Page page = BROWSER.open(chart.url(), "#/service?id=shop/both");
    Locator drawing = page.locator("svg.chain");
    assertThat(drawing.locator(".rose")).hasCount(2);
    assertThat(drawing).containsText("2 of 2 IPv4");
    assertThat(drawing).containsText("2 of 2 IPv6");
    assertThat(drawing.locator(".endpoint")).hasCount(2);
    assertThat(drawing.locator(".ray")).hasCount(4);
    assertThat(page.locator("main")).containsText("2 of 2 (IPv4) + 2 of 2 (IPv6) used");
    assertThat(drawing.evaluate(LOWEST_INSIDE)).isEqualTo(true);
    shoot(page, "both");
    Page phone = BROWSER.open(chart.url(), "#/service?id=shop/both", ChartBrowser::phone);
    assertThat(phone.locator("svg.chain .rose")).hasCount(2);
    assertThat(phone.locator("svg.chain").evaluate(LOWEST_INSIDE)).isEqualTo(true);
    shoot(phone, "both-phone");
  }

  @Test
  void aHeadlessServiceShowsItsEndpointsAndNoWayThere() {
    Page page = BROWSER.open(chart.url(), "");
    Locator row = row(table(page, "Services"), "shop/db");
    assertThat(row).containsText("Headless");
    assertThat(row).containsText("1 of 2");
    row.click();
    Locator main = page.locator("main");
    assertThat(main).containsText("not proxied: it is headless");
    assertThat(main).containsText("10.244.1.7");
    assertThat(main).containsText("shop/db-1");
    assertThat(page.locator("svg.chain")).hasCount(0);
    assertThat(page.getByLabel("Seen from node")).isHidden();
    assertThat(main).not().containsText("no endpoints");
    shoot(page, "headless");
  }

  private static void shoot(Page page, String name) {
    var _ =
        page.screenshot(
            new Page.ScreenshotOptions()
                .setPath(Path.of("target/screenshots", "families-" + name + ".png")));
  }
}
