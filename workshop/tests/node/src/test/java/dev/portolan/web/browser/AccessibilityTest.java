package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.portolan.testbase.AtNight;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every view: names for what can be used, contrast, a phone's width. */
@AtNight
class AccessibilityTest extends ShopInBrowser {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "#/services",
        "#/services?q=nothing-like-this",
        "#/service?id=shop/web",
        "#/service?id=shop/payments",
        "#/service?id=shop/storefront&node=worker-2",
        "#/nodes",
        "#/node?name=worker-3",
        "#/changes",
        "#/explain?target=shop/web&node=worker-1",
        "#/explain?target=shop/storefront&node=*",
        "#/whatif?drain=worker-2",
        "#/search?q=shop",
      })
  void namesContrastAndWidth(String place) {
    List<Consumer<Browser.NewContextOptions>> screens =
        List.of(options -> {}, ChartBrowser::night, ChartBrowser::phone);
    for (Consumer<Browser.NewContextOptions> screen : screens) {
      Page page = BROWSER.open(chart.url(), place, screen);
      assertThat(page.locator("main h1")).hasCount(1);
      settle(page);
      assertThat(findings(page)).as(place).isEmpty();
    }
  }

  /** Waits until what the view asked for is on the page. */
  private static void settle(Page page) {
    page.waitForFunction(
        """
        () => {
          const now = document.querySelector('main').innerHTML.length;
          const same = window.lastLength === now;
          window.lastLength = now;
          return same;
        }\
        """,
        null,
        new Page.WaitForFunctionOptions().setPollingInterval(250));
  }

  /** What is wrong with a page, in sentences. */
  static List<?> findings(Page page) {
    return (List<?>) page.evaluate(script());
  }

  private static String script() {
    try (InputStream file = AccessibilityTest.class.getResourceAsStream("accessibility.js")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
