package dev.portolan.cli.command;

import dev.portolan.cli.chart.ChartOptions;
import dev.portolan.config.DecisionSettings;
import dev.portolan.config.RecordedSettings;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.options.ListenOptions;
import dev.portolan.options.LogOptions;
import dev.portolan.options.NodeSettingsOptions;
import dev.portolan.options.OwnVersion;
import dev.portolan.options.SourceOptions;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.ListenException;
import dev.portolan.server.Options;
import dev.portolan.source.record.RecordedEvent;
import dev.portolan.telemetry.http.BindAddress;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.StopSignal;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.text.TextException;
import dev.portolan.tls.TlsFiles;
import dev.portolan.wiring.BrainDaemon;
import dev.portolan.wiring.ChartOpener;
import dev.portolan.wiring.ClusterRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads a cluster and serves what is decided for each node of it. */
@Command(
    name = BrainCommand.NAME,
    header = "Decide for every node, and serve backends and other brains over gRPC.",
    customSynopsis = "portolan brain --from SOURCE [--listen ADDRESS]...",
    sortOptions = false,
    footerHeading =
        "%nWith --from api:ADDRESS it reads from another brain, so that brains form a tree.%nThe"
            + " --tls files are used for both sides.%n%nExamples:%n",
    footer = {
      "  portolan brain --from file:examples/shop --listen unix:///tmp/portolan.sock",
      "  portolan brain --from kube --metrics-bind-address 127.0.0.1:10259 \\",
      "    --chart-listen 10270"
    })
public final class BrainCommand implements Callable<Integer> {
  /** What it is called. */
  public static final String NAME = "brain";

  private static final Pattern LABEL_VALUE =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private static final int DETAILS = 2;

  private final Terminal terminal;

  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final ListenOptions listen = new ListenOptions();

  @Option(
      names = "--default-node",
      paramLabel = "NODE",
      description = "The node assumed for clients that don't name one. Unset: they are rejected.")
  private @Nullable String defaultNode;

  @Option(
      names = "--metrics-bind-address",
      paramLabel = "IP:PORT",
      description =
          "Where to serve /metrics and /healthz over HTTP, such as 127.0.0.1:10259. Unset: not"
              + " served.")
  private String metricsAddress = "";

  @Option(
      names = "--service-proxy-name",
      paramLabel = "NAME",
      description =
          "Serve only services labelled service.kubernetes.io/service-proxy-name=NAME, for a proxy"
              + " of that name. Unset: only those without the label, as kube-proxy does.")
  private @Nullable String proxyName;

  @Option(
      names = "--service-metadata",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOLEAN",
      description =
          "Keep labels and annotations of services, so that clients can ask for them over the API."
              + " Default: true.")
  private boolean metadata = true;

  @Mixin private final NodeSettingsOptions settings = new NodeSettingsOptions();
  @Mixin private final RecordOptions recording = new RecordOptions();
  @Mixin private final ChartOptions chart = new ChartOptions();
  @Mixin private final LogOptions logging = new LogOptions();

  /** Prints to {@code terminal}. */
  public BrainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = logging.remarks("brain", terminal);
    Optional<TlsFiles> tls = source.tls().files();
    List<ListenAddress> listeners = listen.listeners(tls);
    boolean used =
        source.isRemote()
            || chart.usesCertificates()
            || listeners.stream().anyMatch(listener -> listener.tls().isPresent());
    if (tls.isPresent() && !used) {
      throw CommandFailure.usage(
          "--tls-key, --tls-crt and --tls-ca are for tcp:// addresses, but there is none; remove"
              + " them");
    }
    settings.follow(source, remarks);
    DecisionSettings said = settings.settings(List.of(), "", remarks);
    Optional<String> proxy = proxyName().or(() -> said.cluster().serviceProxyName());
    DecisionSettings decided =
        new DecisionSettings(said.cluster().servingProxy(proxy), said.node());
    Source cluster =
        source.open(remarks, reading -> reading.withServiceProxyName(proxy).withMetadata(metadata));
    Options.Builder options =
        Options.builder()
            .settings(decided.node())
            .listeners(listeners)
            .access(listen.access(listeners))
            .limits(listen.limits())
            .source(source.toString())
            .places(cluster::place)
            .dataplanes(settings.dataplanes(remarks))
            .version(OwnVersion.text())
            .metadata(metadata)
            .log(remarks::say);
    Optional.ofNullable(defaultNode)
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .ifPresent(options::defaultNode);
    String metrics = metricsAddress();
    Optional<ChartOpener> opener = chart.opener(tls, remarks::warn);
    Optional<RecordOptions.Running> recorder =
        recording.start(started(decided, remarks), remarks::warn);
    BrainDaemon brain =
        new BrainDaemon(
            cluster,
            decided.cluster(),
            options.build(),
            metrics,
            remarks::warn,
            remarks.isVerbose(DETAILS) ? remarks::say : line -> {},
            recorder.<ClusterRecorder>map(one -> one).orElse(ClusterRecorder.NONE),
            recording.folder(),
            opener);
    return StopSignal.during(
        terminal,
        () -> {
          try {
            return serve(brain);
          } finally {
            recorder.ifPresent(RecordOptions.Running::close);
          }
        });
  }

  private RecordedEvent.Started started(DecisionSettings decided, Remarks remarks) {
    return new RecordedEvent.Started(
        Instant.now(),
        OwnVersion.text(),
        "brain",
        "",
        source.toString(),
        RecordedSettings.text(settings.plan(remarks), decided));
  }

  private Optional<String> proxyName() {
    if (proxyName != null && !LABEL_VALUE.matcher(proxyName).matches()) {
      throw CommandFailure.usage(
          "--service-proxy-name: '"
              + Text.printable(proxyName)
              + "' is not a valid label value; write up to 63 letters, digits, -, _ and .");
    }
    return Optional.ofNullable(proxyName);
  }

  private String metricsAddress() {
    if (!metricsAddress.isEmpty()) {
      BindAddress _ =
          Choice.read("--metrics-bind-address", () -> BindAddress.parse(metricsAddress));
    }
    return metricsAddress;
  }

  private static int serve(BrainDaemon brain) {
    try {
      brain.run();
      return 0;
    } catch (ListenException | PortUnavailableException e) {
      throw CommandFailure.refused(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }
}
