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

/** All services of the shop. */
class ServicesViewTest extends ShopInBrowser {
  @Test
  void everyServiceIsThereWithItsState() {
    Locator table = table(BROWSER.open(chart.url(), ""), "Services");
    assertThat(table).hasAttribute("aria-rowcount", "10");
    assertThat(row(table, "shop/payments")).containsText("refused");
    assertThat(row(table, "shop/payments")).containsText("no endpoints");
    assertThat(row(table, "shop/web")).containsText("degraded");
    assertThat(row(table, "shop/web")).containsText("2 of 3");
    assertThat(row(table, "kube-system/kube-dns")).containsText("served");
  }

  @Test
  void typingFiltersAndTheUrlRemembersIt() {
    Page page = BROWSER.open(chart.url(), "");
    page.keyboard().press("/");
    page.keyboard().type("shop 443");
    Locator table = table(page, "Services");
    assertThat(table).hasAttribute("aria-rowcount", "3");
    assertThat(page).hasURL(Pattern.compile("#/services\\?q=shop%20443$"));
    page.reload();
    assertThat(table).hasAttribute("aria-rowcount", "3");
    assertThat(page.locator("#q")).hasValue("shop 443");
    page.locator("#q").press("Escape");
    assertThat(table).hasAttribute("aria-rowcount", "10");
  }

  @Test
  void whatIsNoServiceIsFoundToo() {
    Page page = BROWSER.open(chart.url(), "");
    page.locator("#q").fill("cart-6b9c4-8hjlw");
    assertThat(page.locator(".elsewhere")).containsText("cart-6b9c4-8hjlw");
    page.locator(".elsewhere a").first().click();
    assertThat(page.locator("h1")).hasText("shop/cart");
  }

  @Test
  void statesAndNamespacesNarrowTheListAndTheWayBackIsOpen() {
    Page page = BROWSER.open(chart.url(), "");
    Locator table = table(page, "Services");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("degraded")).click();
    assertThat(table).hasAttribute("aria-rowcount", "3");
    page.getByLabel("Namespace").selectOption("shop");
    assertThat(table).hasAttribute("aria-rowcount", "2");
    page.goBack();
    assertThat(table).hasAttribute("aria-rowcount", "3");
    page.goBack();
    assertThat(table).hasAttribute("aria-rowcount", "10");
  }

  @Test
  void aHeadingSorts() {
    Page page = BROWSER.open(chart.url(), "");
    Locator table = table(page, "Services");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("State")).click();
    assertThat(table.getByRole(AriaRole.ROW).nth(1)).containsText("shop/payments");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("State")).click();
    assertThat(table.getByRole(AriaRole.ROW).last()).containsText("shop/payments");
  }

  @Test
  void theKeyboardIsEnough() {
    Page page = BROWSER.open(chart.url(), "");
    page.keyboard().press("/");
    page.keyboard().type("shop");
    page.keyboard().press("Enter");
    Locator table = table(page, "Services");
    assertThat(table).isFocused();
    page.keyboard().press("ArrowDown");
    page.keyboard().press("ArrowDown");
    page.keyboard().press("ArrowUp");
    assertThat(table.locator("[aria-selected=true]")).containsText("shop/cart");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("shop/cart");
    page.keyboard().press("Escape");
    assertThat(table).hasAttribute("aria-rowcount", "7");
    page.locator(".skip").focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("main")).isFocused();
    assertThat(page.url()).contains("#/services");
  }

  @Test
  void onlyThisServerIsAskedAndOnlyByGet() {
    Page page = BROWSER.open(chart.url(), "");
    assertThat(table(page, "Services")).isVisible();
    assertThat(BROWSER.requests()).isNotEmpty().allMatch(url -> url.startsWith(chart.url()));
  }
}
