package dev.portolan.daemon;

import dev.portolan.apiserver.ApiException;
import dev.portolan.apiserver.ApiServer;
import dev.portolan.config.StartPlan;
import dev.portolan.daemon.metrics.ClientMetrics;
import dev.portolan.source.kube.KubeSource;
import dev.portolan.source.union.HeldSource;
import dev.portolan.telemetry.log.Logs;
import dev.portolan.wiring.WatchedSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The API server of a cluster: objects come from there, and events go there. */
final class ApiServerUpstream implements Upstream {
  private final ApiServer api;
  private final EventRecorder events;
  private final KubeSource source;
  private final WatchedSource watched;
  private final Optional<NodeTaint> taint;
  private final HeldSource cluster;

  /** Begins to read, which takes longer than anything else at a start. */
  ApiServerUpstream(
      StartPlan plan,
      String node,
      String version,
      Logs logs,
      ClientMetrics metrics,
      HeldSource.Listener listener)
      throws ApiException {
    this.api = ClusterAccess.open(plan, version, metrics);
    this.events = new EventRecorder(api, node, logs.of("events"));
    this.source =
        new KubeSource(
            api,
            Optional.of(node),
            KubeSource.Options.DEFAULT
                .withContentType(plan.configuration().clientConnection().contentType())
                .withMetadata(plan.serviceMetadata()));
    this.taint =
        NodeTaint.key(plan).map(key -> new NodeTaint(api, node, key, logs.of("kube-proxy")));
    this.watched = new WatchedSource(source, InstantSource.system());
    this.cluster = new HeldSource(watched, node, listener);
    metrics.silence(source::silence);
    metrics.watches(source::state);
  }

  /** The rules are in place: pods may be scheduled here. */
  void open() {
    taint.ifPresent(NodeTaint::remove);
  }

  @Override
  public String address() {
    return api.address().toString();
  }

  /** The source of the cluster's objects, and how it is doing. */
  WatchedSource source() {
    return watched;
  }

  /** The cluster's objects, held back until the node is known. */
  HeldSource cluster() {
    return cluster;
  }

  @Override
  public ClusterEvents events() {
    return events;
  }

  @Override
  public void addAge(Map<String, Object> answer) {
    source.state().stream()
        .flatMap(state -> state.age().stream())
        .max(Duration::compareTo)
        .ifPresent(age -> answer.put("secondsSinceApiServer", age.toSeconds()));
    answer.put("secondsApiServerSilent", source.silence().toSeconds());
  }

  @Override
  public void close() {
    cluster.close();
    taint.ifPresent(NodeTaint::close);
    events.close();
    api.close();
  }
}
