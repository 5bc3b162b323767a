package dev.portolan.cli.chart;

import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.tls.TlsFiles;
import dev.portolan.web.ServedChart;
import dev.portolan.web.http.ChartListener;
import dev.portolan.wiring.ChartOpener;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether a brain serves a chart, and to whom. */
public final class ChartOptions {
  @Option(
      names = "--chart-listen",
      paramLabel = "ADDRESS",
      description =
          "Where to serve the chart, a page for browsers: a port on loopback such as 10270, or"
              + " IP:PORT with certificates or a token. Unset: not served.")
  private @Nullable String address;

  @Mixin private final ChartTokenOption token = new ChartTokenOption();

  /**
   * The server of the chart, if one is asked for.
   *
   * @param tls used where other machines can reach the address
   */
  public Optional<ChartOpener> opener(Optional<TlsFiles> tls, Consumer<String> log) {
    if (address == null || address.isBlank()) {
      if (!token.file().isEmpty()) {
        throw CommandFailure.usage("--chart-token-file needs --chart-listen; add it");
      }
      return Optional.empty();
    }
    return Optional.of(opener("--chart-listen", address, tls, token.file(), log));
  }

  /** Whether certificates are used for the chart. */
  public boolean usesCertificates() {
    return address != null && !address.isBlank() && ChartListener.isReachable(address.strip());
  }

  /** The same for the value of another option. */
  static ChartOpener opener(
      String option, String address, Optional<TlsFiles> tls, String token, Consumer<String> log) {
    return Choice.read(
        option, () -> ServedChart.at(address.strip(), tls, token, CommandAnswers::new, log));
  }
}
