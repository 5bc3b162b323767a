package dev.portolan.wiring;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.text.Counted;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenException;
import dev.portolan.server.Options;
import dev.portolan.telemetry.http.PageServer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads a cluster and serves what is decided for each node of it.
 *
 * @param cluster where it reads
 * @param settings how it decides; a node whose object is deleted is served on, as kube-proxy does,
 *     for as long as a client watches it
 * @param options how it serves
 * @param pages where metrics and health are served over HTTP; nowhere if empty
 * @param warnings gets what is wrong with the cluster or its source
 * @param details gets what each change touches
 * @param recorder keeps what is decided about
 * @param recording the folder that the recorder writes to, if there is one
 * @param chart serves a chart of it, if one is configured
 */
public record BrainDaemon(
    Source cluster,
    BrainSettings settings,
    Options options,
    String pages,
    Consumer<String> warnings,
    Consumer<String> details,
    ClusterRecorder recorder,
    Optional<Path> recording,
    Optional<ChartOpener> chart) {
  private static final int MOST_NAMES = 10;

  /**
   * Serves until the thread is interrupted.
   *
   * @throws ListenException if the API or the chart cannot be served
   * @throws dev.portolan.telemetry.http.PortUnavailableException if the pages cannot be served
   */
  public void run() {
    Brain brain = new Brain(settings.keepingDeletedNodes(), this::warn);
    WatchedSource watched = new WatchedSource(cluster, InstantSource.system());
    try (BrainServer server = BrainServer.start(brain, options);
        PageServer open = BrainPages.open(pages, brain, server, watched)) {
      watched.onChange(() -> pass(watched.status(), server));
      for (Address address : server.addresses()) {
        say("listening on " + address);
      }
      if (open.port() != 0) {
        say("metrics and health on http://" + host(pages) + ":" + open.port());
      }
      say("reading " + options.source());
      if (chart.isPresent()) {
        try (ChartOpener.OpenChart shown = chart.get().open(subject(brain, watched, server))) {
          say("chart on " + shown.url());
          follow(watched, brain);
        }
      } else {
        follow(watched, brain);
      }
    } catch (InterruptedException e) {
      // That is how it ends.
    }
    say("stopped");
  }

  private static void pass(WatchedSource.Status status, BrainServer server) {
    status
        .lostAt()
        .ifPresentOrElse(since -> server.sourceLost(since, status.problem()), server::sourceFound);
  }

  private ChartSubject subject(Brain brain, WatchedSource watched, BrainServer server) {
    ChartSubject subject =
        ChartSubject.of(
                brain,
                options.dataplanes().stream()
                    .map(dataplane -> new ExplainedMode(options.settings(), dataplane))
                    .toList(),
                options.source(),
                watched,
                options.version())
            .placed(options.places())
            .following(() -> FleetProgress.of(server.clients(), Instant.now()));
    return recording.map(subject::recordedIn).orElse(subject);
  }

  private void say(String line) {
    options.log().accept(line);
  }

  private void warn(Warning warning) {
    warnings.accept(
        cluster.place(warning.object()).map(place -> place + ": ").orElse("") + warning);
  }

  private static String host(String address) {
    String host = address.substring(0, address.lastIndexOf(':'));
    return host.isEmpty() ? "0.0.0.0" : host;
  }

  /** Goes on until it is interrupted. */
  private void follow(Source source, Brain brain) throws InterruptedException {
    source.run(
        new Source.Sink() {
          @Override
          public void apply(ClusterImage newest) {
            boolean first = !brain.isSynced();
            ClusterChange change = brain.apply(newest);
            recorder.taken(newest, brain.decision().revision(), cluster.versions());
            if (first) {
              say("synced: " + counts(brain.cluster()) + " from " + options.source());
            } else if (!change.isEmpty()) {
              details.accept(
                  "cluster revision " + brain.decision().revision() + ": " + names(change));
            }
          }

          @Override
          public void report(String problem) {
            recorder.problem(problem);
            warnings.accept(problem);
          }
        });
  }

  private static String names(ClusterChange change) {
    List<String> names = new ArrayList<>();
    change.services().forEach(name -> names.add("Service " + name));
    change.slices().forEach(name -> names.add("EndpointSlice " + name));
    change.nodes().forEach(name -> names.add("Node " + name));
    change.serviceCidrs().forEach(name -> names.add("ServiceCIDR " + name));
    return names.size() <= MOST_NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMES))
            + " and "
            + (names.size() - MOST_NAMES)
            + " more";
  }

  private static String counts(ClusterImage cluster) {
    return Counted.of(cluster.services().size(), "service")
        + ", "
        + Counted.of(cluster.slices().size(), "slice")
        + " and "
        + Counted.of(cluster.nodes().size(), "node");
  }
}
