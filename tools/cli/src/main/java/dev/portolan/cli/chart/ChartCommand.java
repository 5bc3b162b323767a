package dev.portolan.cli.chart;

import dev.portolan.brain.Brain;
import dev.portolan.client.Connection;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.Dataplane;
import dev.portolan.options.ApiOptions;
import dev.portolan.options.NodeSettingsOptions;
import dev.portolan.options.OwnVersion;
import dev.portolan.options.SourceOptions;
import dev.portolan.server.ListenException;
import dev.portolan.source.union.HeldSource;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.text.TextException;
import dev.portolan.wiring.ChartOpener;
import dev.portolan.wiring.ChartSubject;
import dev.portolan.wiring.ExplainedMode;
import dev.portolan.wiring.WatchedSource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a cluster in a browser. */
@Command(
    name = "chart",
    header = "Show services, nodes and what is decided for them in a browser.",
    customSynopsis = "portolan chart [--from SOURCE|--api ADDRESS] [--listen ADDRESS] [--open]",
    sortOptions = false,
    footerHeading =
        "%nPrints where the page is, and serves it until it is stopped, to be read only.%nIt"
            + " follows the cluster. A recording is shown as it was at its end, or at a%npoint;"
            + " with --speed it is played. With --api the page also shows how far nodes%nare.%n%n"
            + "Examples:%n",
    footer = {
      "  portolan chart --from file:examples/shop",
      "  portolan chart --from record:examples/recordings/shop.rec --listen 10270",
      "  portolan chart --from kube --open"
    })
public final class ChartCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final SourceOptions source = new SourceOptions();

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "Where to serve the page: a port on loopback such as 10270, or IP:PORT with certificates"
              + " or a token. Default: any free port on loopback.")
  private String listen = "127.0.0.1:0";

  @Mixin private final ChartTokenOption token = new ChartTokenOption();

  @Option(names = "--open", description = "Open the page in this machine's browser.")
  private boolean open;

  @Mixin private final NodeSettingsOptions settings = new NodeSettingsOptions();

  /** Prints to {@code terminal}. */
  public ChartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = new Remarks(terminal);
    boolean remote = api.isAsked(source);
    SourceOptions read = remote ? source.at("api:" + api) : source;
    ChartOpener opener =
        ChartOptions.opener("--listen", listen, source.tls().files(), token.file(), remarks::warn);
    if (!remote) {
      return StopSignal.during(terminal, () -> serve(read, opener, Optional.empty(), remarks));
    }
    try (Connection connection = api.connect(source.tls(), remarks)) {
      Optional<RemoteFleet> fleet = Optional.of(new RemoteFleet(connection));
      return StopSignal.during(terminal, () -> serve(read, opener, fleet, remarks));
    }
  }

  private int serve(
      SourceOptions read, ChartOpener opener, Optional<RemoteFleet> fleet, Remarks remarks) {
    read.keepRecordingsStill();
    settings.follow(read, remarks);
    WatchedSource cluster = new WatchedSource(read.open(remarks), InstantSource.system());
    DecisionSettings decided = settings.settings(List.of(), "", remarks);
    Brain brain =
        new Brain(
            decided.cluster(), warning -> remarks.warn(warning, cluster.place(warning.object())));
    ChartSubject subject =
        ChartSubject.of(brain, modes(remarks), read.toString(), cluster, OwnVersion.text())
            .placed(cluster::place);
    subject = read.recording().map(subject::recordedIn).orElse(subject);
    subject = fleet.map(subject::following).orElse(subject);
    try (HeldSource held = read.hold(cluster, remarks)) {
      var _ = brain.apply(read.first(held, remarks));
      try (ChartOpener.OpenChart chart = opener.open(subject)) {
        terminal.print(chart.url());
        terminal.out().flush();
        if (open) {
          BrowserProgram.open(chart.url())
              .ifPresent(why -> remarks.warn(why + "; open " + chart.url() + " yourself"));
        }
        held.run(new Deciding(brain, remarks));
        // A recording has an end, and is looked at for longer.
        new CountDownLatch(1).await();
      }
    } catch (InterruptedException e) {
      // That is how it ends.
    } catch (ListenException e) {
      throw CommandFailure.refused(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
    return 0;
  }

  /** Each mode with its default settings. */
  private List<ExplainedMode> modes(Remarks remarks) {
    List<ExplainedMode> modes = new ArrayList<>();
    for (Dataplane dataplane : settings.dataplanes(remarks)) {
      String mode = modes.isEmpty() ? "" : dataplane.name();
      modes.add(new ExplainedMode(settings.settings(List.of(), mode, remarks).node(), dataplane));
    }
    return modes;
  }

  /** Lets a brain decide what a source reads. */
  private record Deciding(Brain brain, Remarks remarks) implements Source.Sink {
    @Override
    public void apply(ClusterImage newest) {
      var _ = brain.apply(newest);
    }

    @Override
    public void report(String problem) {
      remarks.warn(problem);
    }
  }
}
