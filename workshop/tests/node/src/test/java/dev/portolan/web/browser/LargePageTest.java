package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.portolan.web.browser.ChartBrowser.row;
import static dev.portolan.web.browser.ChartBrowser.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.portolan.testbase.AtNight;
import dev.portolan.web.ChartFixture;
import dev.portolan.web.http.FedChart;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** 10,000 services on 1,000 nodes. */
@AtNight
@NeedsChromium
class LargePageTest {
  private static final int MOST_ROWS = 100;

  @RegisterExtension static final ChartBrowser BROWSER = new ChartBrowser();

  @AutoClose private static FedChart chart;

  @BeforeAll
  static void serve() {
    chart = ChartFixture.large(10_000, 1_000);
  }

  @Test
  void onlyRowsInSightAreInTheDocumentWhereverOneScrolls() {
    Page page = BROWSER.open(chart.url(), "");
    Locator table = table(page, "Services");
    assertThat(table).hasAttribute("aria-rowcount", "10001");
    for (int step = 1; step <= 40; step++) {
      table.evaluate(
          "(table, part) => { table.scrollTop = table.scrollHeight * part; }", step / 40.0);
      assertThat(rowsInSight(table)).isGreaterThan(8);
      assertThat(table.getByRole(AriaRole.ROW).count()).isLessThan(MOST_ROWS);
    }
    assertThat(row(table, "ns-49/svc-09999")).isInViewport();
  }

  @Test
  void theKeyboardReachesTheLastRow() {
    Page page = BROWSER.open(chart.url(), "");
    Locator table = table(page, "Services");
    table.focus();
    page.keyboard().press("End");
    assertThat(table.locator("[aria-selected=true]")).containsText("ns-49/svc-09999");
    assertThat(row(table, "ns-49/svc-09999")).isInViewport();
    page.keyboard().press("Home");
    assertThat(table.locator("[aria-selected=true]")).containsText("ns-00/svc-00000");
    page.keyboard().press("PageDown");
    page.keyboard().press("ArrowUp");
    assertThat(table.locator("[aria-selected=true]")).isInViewport();
  }

  @Test
  void typingFindsOneOfThem() {
    Page page = BROWSER.open(chart.url(), "");
    page.locator("#q").fill("svc-07777");
    assertThat(table(page, "Services")).hasAttribute("aria-rowcount", "2");
    assertThat(page.locator("main")).containsText("ns-27/");
  }

  @Test
  void theWayBackLeadsToTheSameRows() {
    Page page = BROWSER.open(chart.url(), "");
    Locator table = table(page, "Services");
    assertThat(table).hasAttribute("aria-rowcount", "10001");
    // After the frame in which the page scrolls to where it was left.
    table.evaluate(
        """
        table => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
          table.scrollTop = 200000;
          done();
        })))\
        """);
    String name = "ns-23/svc-08273";
    row(table, name).click();
    assertThat(page.locator("h1")).hasText(name);
    page.goBack();
    assertThat(row(table(page, "Services"), name)).isInViewport();
  }

  @Test
  void manyNodesCanBeDrainedWithTheSlider() {
    Page page = BROWSER.open(chart.url(), "#/whatif");
    page.getByLabel("Drain nodes one by one").fill("40");
    assertThat(page.locator(".reading")).hasText("40 of 1,000 nodes");
    assertThat(page.locator(".sentence")).containsText("would fail");
  }

  @Test
  void aThousandNodesAreATableToo() {
    Locator table = table(BROWSER.open(chart.url(), "#/nodes"), "Nodes");
    assertThat(table).hasAttribute("aria-rowcount", "1001");
    assertThat(table.getByRole(AriaRole.ROW).count()).isLessThan(MOST_ROWS);
  }

  private static int rowsInSight(Locator table) {
    Object count =
        table.evaluate(
            """
            table => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
              const box = table.getBoundingClientRect();
              done([...table.querySelectorAll('.row:not(.heads)')].filter(row => {
                const at = row.getBoundingClientRect();
                return at.bottom > box.top && at.top < box.bottom && row.textContent.includes('svc-');
              }).length);
            })))\
            """);
    return ((Number) count).intValue();
  }
}
