package dev.portolan.web.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.portolan.web.browser.ChartBrowser.row;
import static dev.portolan.web.browser.ChartBrowser.table;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.web.ChartFixture;
import dev.portolan.web.http.FedChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What changes in the cluster changes on the page, without anybody's doing. */
@NeedsChromium
class LiveChartTest {
  private static final NamespacedName SLICE = new NamespacedName("shop", "web-h7v5p");

  @RegisterExtension static final ChartBrowser BROWSER = new ChartBrowser();

  @AutoClose private FedChart chart;

  @BeforeEach
  void serve() {
    chart = ChartFixture.shop();
  }

  @Test
  void aChangeAppearsInTheTableAndInTheService() {
    Page services = BROWSER.open(chart.url(), "");
    Page service = BROWSER.open(chart.url(), "#/service?id=shop/web");
    Locator row = row(table(services, "Services"), "shop/web");
    assertThat(row).containsText("2 of 3");
    assertThat(used(service)).hasCount(2);
    chart.change(cluster -> ready(cluster, List.of(true, true, true)));
    assertThat(row).containsText("3 of 3");
    assertThat(used(service)).hasCount(3);
    chart.change(cluster -> ready(cluster, List.of(true, false, false)));
    assertThat(row).containsText("1 of 3");
    assertThat(used(service)).hasCount(1);
  }

  @Test
  void aServiceThatIsDeletedGoes() {
    Page page = BROWSER.open(chart.url(), "");
    Locator table = table(page, "Services");
    assertThat(table).hasAttribute("aria-rowcount", "10");
    chart.change(cluster ->
        new ClusterImage(
            cluster.services().without(new NamespacedName("shop", "admin")),
            cluster.slices(),
            cluster.nodes(),
            cluster.serviceCidrs()));
    assertThat(table).hasAttribute("aria-rowcount", "9");
    assertThat(table.getByText("admin")).hasCount(0);
  }

  @Test
  void changesAreListedAndCanBePaused() {
    Page page = BROWSER.open(chart.url(), "#/changes");
    assertThat(page.locator("main")).containsText("Nothing has changed");
    chart.change(cluster -> ready(cluster, List.of(true, true, true)));
    Locator list = page.locator(".changes > li");
    assertThat(list).hasCount(1);
    assertThat(list).containsText("EndpointSlice shop/web-h7v5p");
    assertThat(list).containsText("shop/web");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Pause")).click();
    chart.change(cluster -> ready(cluster, List.of(false, true, true)));
    assertThat(page.locator(".summary")).containsText("Paused, 2 new");
    assertThat(list).hasCount(1);
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Go on")).click();
    assertThat(list).hasCount(2);
  }

  @Test
  void itComesBackByItselfAfterTheServerDid() {
    BROWSER.forgive("net::ERR_");
    Page page = BROWSER.open(chart.url(), "");
    Locator status = page.locator("#live [role=status]");
    Locator row = row(table(page, "Services"), "shop/web");
    assertThat(row).containsText("2 of 3");
    chart.stop();
    assertThat(status).hasText("Reconnecting");
    assertThat(row).containsText("2 of 3");
    chart.change(cluster -> ready(cluster, List.of(true, true, true)));
    chart.start();
    assertThat(status).hasText("Files");
    assertThat(row).containsText("3 of 3");
    chart.change(cluster -> ready(cluster, List.of(true, false, false)));
    assertThat(row).containsText("1 of 3");
  }

  /** What the drawing has of the slice that tests change. */
  private static Locator used(Page service) {
    return service
        .locator(".endpoint.used")
        .filter(new Locator.FilterOptions().setHasText("10.244."));
  }

  private static ClusterImage ready(ClusterImage cluster, List<Boolean> ready) {
    EndpointSlice slice = Objects.requireNonNull(cluster.slices().get(SLICE));
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < ready.size(); i++) {
      Member old = slice.members().get(i);
      members.add(old.with(new Conditions(ready.get(i), ready.get(i), false)));
    }
    EndpointSlice changed = slice.with(members);
    return new ClusterImage(
        cluster.services(),
        cluster.slices().with(SLICE, changed),
        cluster.nodes(),
        cluster.serviceCidrs());
  }
}
