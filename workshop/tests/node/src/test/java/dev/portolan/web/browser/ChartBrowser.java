package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A browser for the tests of a class; all classes share its process. After each test it closes the
 * pages, and the test fails if one of them wrote an error to its console or asked anyone but its
 * own server.
 */
public final class ChartBrowser implements BeforeAllCallback, AfterTestExecutionCallback {
  static final Path CHROMIUM = Path.of("/usr/bin/chromium");

  private final List<BrowserContext> contexts = new ArrayList<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final List<String> forgiven = new ArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private @Nullable Browser browser;

  /** The process of the browser, until all tests are over. */
  private record Chromium(Playwright driver, Browser browser) implements AutoCloseable {
    static Chromium start() {
      // Long enough for a machine with other work; a test that holds takes none of it.
      PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
      Playwright driver =
          Playwright.create(
              new Playwright.CreateOptions()
                  .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
      Browser browser =
          driver
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(CHROMIUM)
                      .setArgs(List.of("--no-sandbox")));
      return new Chromium(driver, browser);
    }

    @Override
    public void close() {
      driver.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    browser =
        context
            .getRoot()
            .getStore(Namespace.create(ChartBrowser.class))
            .computeIfAbsent(Chromium.class, key -> Chromium.start(), Chromium.class)
            .browser();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    contexts.forEach(BrowserContext::close);
    contexts.clear();
    List<String> found =
        errors.stream().filter(error -> forgiven.stream().noneMatch(error::contains)).toList();
    errors.clear();
    forgiven.clear();
    requests.clear();
    assertThat(found).as("errors in the console, and requests to others").isEmpty();
  }

  /** Opens a place of a chart on a screen of a desk, in daylight. */
  public Page open(String url, String place) {
    return open(url, place, options -> {});
  }

  /** The same, on another screen. */
  public Page open(String url, String place, Consumer<Browser.NewContextOptions> change) {
    return open(url, place, change, "#live.live, #live.recording");
  }

  /** The same, until there is {@code sign} on the page. */
  Page open(String url, String place, Consumer<Browser.NewContextOptions> change, String sign) {
    Page page = visit(url, place, change);
    assertThat(page.locator(sign)).isVisible();
    return page;
  }

  /** Goes to a chart that does not show itself yet. */
  public Page visit(String url, String place) {
    return visit(url, place, options -> {});
  }

  private Page visit(String url, String place, Consumer<Browser.NewContextOptions> change) {
    Browser.NewContextOptions options =
        new Browser.NewContextOptions()
            .setViewportSize(1280, 800)
            .setColorScheme(ColorScheme.LIGHT)
            .setLocale("en-GB")
            .setTimezoneId("UTC");
    change.accept(options);
    if (browser == null) {
      throw new IllegalStateException("no test has begun");
    }
    BrowserContext context = browser.newContext(options);
    contexts.add(context);
    Page page = context.newPage();
    page.setDefaultTimeout(60_000);
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.type().equals("warning")) {
        errors.add(message.text() + " at " + page.url());
      }
    });
    page.onPageError(error -> errors.add(error + " at " + page.url()));
    page.onRequest(request -> {
      requests.add(request.url());
      if (!request.url().startsWith(url)) {
        errors.add("asked " + request.url());
      }
    });
    page.navigate(url + place);
    return page;
  }

  /** A screen of a phone. */
  public static void phone(Browser.NewContextOptions options) {
    options.setViewportSize(390, 780).setHasTouch(true);
  }

  /** At night. */
  public static void night(Browser.NewContextOptions options) {
    options.setColorScheme(ColorScheme.DARK);
  }

  /** What pages asked for so far. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Lets this test's pages complain with these words, as in the status of an expected refusal. */
  public void forgive(String words) {
    forgiven.add(words);
  }

  /** Goes to another place of the same chart. */
  public static void go(Page page, String place) {
    page.evaluate("place => { location.hash = place; }", place);
  }

  /** The table of any length with this name. */
  public static Locator table(Page page, String name) {
    return page.getByRole(AriaRole.GRID, new Page.GetByRoleOptions().setName(name));
  }

  /** A row of a table, by the text in it. */
  public static Locator row(Locator table, String text) {
    return table
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(text))
        .first();
  }
}
