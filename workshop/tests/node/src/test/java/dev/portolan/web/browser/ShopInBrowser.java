package dev.portolan.web.browser;

import dev.portolan.web.ChartFixture;
import dev.portolan.web.http.FedChart;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A chart of the shop, and a browser to look at it. */
@NeedsChromium
abstract class ShopInBrowser {
  @RegisterExtension static final ChartBrowser BROWSER = new ChartBrowser();

  @AutoClose static FedChart chart;

  @BeforeAll
  static void serve() {
    chart = ChartFixture.shop();
  }
}
