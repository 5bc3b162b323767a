package dev.portolan.cli;

import dev.portolan.api.transport.Address;
import dev.portolan.config.DecisionSettings;
import dev.portolan.core.brain.Brain;
import dev.portolan.core.brain.BrainSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.ListenException;
import dev.portolan.server.Options;
import dev.portolan.telemetry.http.PageServer;
import dev.portolan.text.TextException;
import dev.portolan.tls.TlsFiles;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads a cluster and serves what is decided for each node of it. */
@Command(
    name = "brain",
    header = "Decide for every node, and serve backends and other brains over gRPC.",
    customSynopsis = "portolan brain --from SOURCE [--listen ADDRESS]...",
    sortOptions = false,
    footerHeading =
        "%nWith --from api:ADDRESS it reads from another brain, so that brains form a tree.%nThe"
            + " --tls files are used for both sides.%n%nExamples:%n",
    footer = {
      "  portolan brain --from file:examples/shop --listen unix:///tmp/portolan.sock",
      "  portolan brain --from kube --metrics-bind-address 127.0.0.1:10259"
    })
final class BrainCommand implements Callable<Integer> {
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

  @Mixin private final NodeSettingsOptions settings = new NodeSettingsOptions();

  BrainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Remarks remarks = new Remarks(terminal);
    Optional<TlsFiles> tls = source.tls().files();
    List<ListenAddress> listeners = listen.listeners(tls);
    boolean used =
        source.isRemote() || listeners.stream().anyMatch(listener -> listener.tls().isPresent());
    if (tls.isPresent() && !used) {
      throw CommandFailure.usage(
          "--tls-key, --tls-crt and --tls-ca are for tcp:// addresses, but there is none; remove"
              + " them");
    }
    DecisionSettings decided = settings.settings(List.of(), remarks);
    Source cluster = source.open(remarks);
    Options.Builder options =
        Options.builder()
            .settings(decided.node())
            .listeners(listeners)
            .access(listen.access(listeners))
            .limits(listen.limits())
            .source(source.toString())
            .places(cluster::place)
            .version(OwnVersion.text())
            .log(remarks::say);
    Optional.ofNullable(defaultNode)
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .ifPresent(options::defaultNode);
    return StopSignal.during(
        terminal, () -> serve(cluster, decided.cluster(), options.build(), remarks));
  }

  private int serve(Source cluster, BrainSettings wanted, Options options, Remarks remarks) {
    Brain brain =
        new Brain(wanted, warning -> remarks.warn(warning, cluster.place(warning.object())));
    try (BrainServer server = BrainServer.start(brain, options);
        PageServer pages = BrainPages.open(metricsAddress, brain, server)) {
      for (Address address : server.addresses()) {
        remarks.say("listening on " + address);
      }
      if (pages.port() != 0) {
        remarks.say("metrics and health on http://" + host(metricsAddress) + ":" + pages.port());
      }
      remarks.say("reading " + source);
      follow(cluster, brain, remarks);
    } catch (ListenException e) {
      throw CommandFailure.refused(ErrorCode.of(e), Text.printable(String.valueOf(e.getMessage())));
    } catch (TextException e) {
      throw CommandFailure.input(e);
    } catch (InterruptedException e) {
      // That is how it ends.
    }
    remarks.say("stopped");
    return 0;
  }

  private static String host(String address) {
    String host = address.substring(0, address.lastIndexOf(':'));
    return host.isEmpty() ? "0.0.0.0" : host;
  }

  /** Goes on until it is interrupted. */
  private void follow(Source cluster, Brain brain, Remarks remarks) throws InterruptedException {
    cluster.run(
        new Source.Sink() {
          @Override
          public void apply(ClusterImage newest) {
            boolean first = !brain.isSynced();
            brain.apply(newest);
            if (first) {
              remarks.say("synced: " + counts(brain.cluster()) + " from " + source);
            }
          }

          @Override
          public void report(String problem) {
            remarks.warn(problem);
          }
        });
  }

  private static String counts(ClusterImage cluster) {
    return cluster.services().size()
        + " services, "
        + cluster.slices().size()
        + " slices and "
        + cluster.nodes().size()
        + " nodes";
  }
}
