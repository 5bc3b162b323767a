package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.portolan.web.browser.ChartBrowser.row;
import static dev.portolan.web.browser.ChartBrowser.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A service, a node, an explanation, an imagined event: each view with the shop. */
class ShopViewsTest extends ShopInBrowser {
  @Test
  void aServiceIsDrawnFromClientToEndpoints() {
    Page page = BROWSER.open(chart.url(), "#/service?id=shop/web&node=worker-1");
    assertThat(page.locator("h1")).hasText("shop/web");
    Locator chain = page.locator("svg.chain");
    assertThat(chain).containsText("a client");
    assertThat(chain).containsText("10.96.20.10");
    assertThat(chain).containsText("zone-a");
    assertThat(chain.locator(".endpoint.used")).hasCount(2);
    assertThat(chain.locator(".endpoint.out")).containsText("not ready");
    assertThat(endpoint(page, "10.244.3.51:8080")).containsText("not ready");
    assertThat(endpoint(page, "10.244.1.51:8080")).containsText("web-66b8d-c4nvq");
  }

  @Test
  void aServiceIsSeenFromAnotherNode() {
    Page page = BROWSER.open(chart.url(), "#/service?id=shop/storefront&node=worker-1");
    Locator external =
        page.getByRole(AriaRole.ROW)
            .filter(new Locator.FilterOptions().setHasText("203.0.113.10:443"))
            .first();
    assertThat(external).containsText("forwarded");
    page.getByLabel("Seen from node").selectOption("worker-2");
    assertThat(external).containsText("dropped");
    assertThat(page).hasURL(Pattern.compile("node=worker-2"));
    page.goBack();
    assertThat(external).containsText("forwarded");
  }

  @Test
  void everyPortOfAServiceHasItsOwnDrawing() {
    Page page = BROWSER.open(chart.url(), "#/service?id=kube-system/kube-dns");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("metrics 9153/TCP"))
        .click();
    assertThat(page.locator("svg.chain")).containsText("10.96.0.10:9153");
  }

  @Test
  void aServiceThatDoesNotExistIsSaid() {
    BROWSER.forgive("status of 404");
    Page page = BROWSER.open(chart.url(), "#/service?id=shop/nothing");
    assertThat(page.locator(".problem")).containsText("shop/nothing");
  }

  @Test
  void nodesAreListedAndLeadToThemselves() {
    Page page = BROWSER.open(chart.url(), "#/nodes");
    Locator table = table(page, "Nodes");
    assertThat(table).hasAttribute("aria-rowcount", "4");
    row(table, "worker-3").click();
    assertThat(page.locator("h1")).hasText("worker-3");
    assertThat(page.locator("main")).containsText("zone-b");
    assertThat(page.locator("main")).containsText("monitoring/agent");
  }

  @Test
  void theExplainFormAnswersAsTheCommandDoes() {
    Page page = BROWSER.open(chart.url(), "#/explain");
    page.getByLabel("Destination").fill("shop/web");
    page.getByLabel("Client").fill("198.51.100.7");
    page.getByLabel("On node").selectOption("worker-1");
    page.keyboard().press("Tab");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Explain")).click();
    assertThat(page.locator(".sentence").first())
        .hasText(
            "A connection from 198.51.100.7 to 10.96.20.10:80/TCP is forwarded to 2 endpoints.");
    assertThat(page.locator("main")).containsText("masqueraded: the client is not a pod");
    page.getByText("As the command line prints it").click();
    Object text =
        page.evaluate(
            "async address => (await (await fetch(address)).json()).text",
            "api/explain?target=shop/web&client=198.51.100.7&node=worker-1");
    assertThat(page.locator("details pre").textContent()).isEqualTo(text);
    page.reload();
    assertThat(page.locator(".sentence").first()).containsText("10.96.20.10:80/TCP");
  }

  @Test
  void anExplanationOfAllNodesIsATable() {
    Page page = BROWSER.open(chart.url(), "#/explain?target=shop/storefront&node=*");
    Locator worker =
        page.getByRole(AriaRole.ROW)
            .filter(new Locator.FilterOptions().setHasText("192.168.10.12:30443/TCP"));
    assertThat(worker).containsText("dropped");
  }

  @Test
  void aMistakeInTheExplainFormGetsASentence() {
    BROWSER.forgive("status of 400");
    Page page = BROWSER.open(chart.url(), "#/explain?target=1.2.3");
    assertThat(page.locator(".problem")).containsText("'1.2.3' is not a valid target");
  }

  @Test
  void theSliderDrainsOneNodeAfterAnother() {
    Page page = BROWSER.open(chart.url(), "#/whatif");
    Locator slider = page.getByLabel("Drain nodes one by one");
    slider.focus();
    page.keyboard().press("ArrowRight");
    assertThat(page.locator(".reading")).hasText("1 of 3 nodes");
    page.keyboard().press("ArrowRight");
    assertThat(page.locator(".reading")).hasText("2 of 3 nodes");
    assertThat(page.locator(".sentence")).containsText("would fail");
    assertThat(page).hasURL(Pattern.compile("drain=worker-1&drain=worker-2"));
    assertThat(page.locator("main")).containsText("shop/admin");
    page.keyboard().press("Home");
    assertThat(page.locator(".result")).containsText("Choose something");
  }

  @Test
  void aLostZoneAndADrainedNodeAreToggles() {
    Page page = BROWSER.open(chart.url(), "#/whatif?drain=worker-2");
    Locator broken =
        page.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText("shop/admin"));
    assertThat(broken).containsText("rejected");
    Locator zone =
        page.getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName("zone-b").setExact(true));
    zone.click();
    assertThat(zone).hasAttribute("aria-pressed", "true");
    assertThat(page).hasURL(Pattern.compile("lose=zone-b"));
    assertThat(page.locator("details pre")).containsText("lose zone-b");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Clear")).click();
    assertThat(zone).hasAttribute("aria-pressed", "false");
  }

  @Test
  void aSearchFindsAddressesPodsAndNodes() {
    Page page = BROWSER.open(chart.url(), "#/nodes");
    // Before, the page has not yet put the view's own search into the box.
    assertThat(page.locator("h1")).hasText("Nodes");
    page.locator("#q").fill("10.244.3.51");
    page.keyboard().press("Enter");
    assertThat(page.locator(".hits")).containsText("10.244.3.51");
    page.locator("#q").fill("worker-2");
    assertThat(page.locator(".hits")).containsText("worker-2");
    page.keyboard().press("Enter");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("worker-2");
  }

  private static Locator endpoint(Page page, String address) {
    return page.getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Endpoints"))
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(address));
  }
}
