package dev.portolan.source.kube;

import dev.portolan.apiserver.ApiServer;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import dev.portolan.source.kube.wire.JsonFormat;
import dev.portolan.source.kube.wire.ProtobufFormat;
import dev.portolan.source.kube.wire.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cluster from an API server and follows it: services, endpoint slices, ServiceCIDRs, and
 * one node or all of them.
 *
 * <p>Each type of objects has a thread of its own. While the server is away the last known state
 * stays in effect; {@link #state} says how old it is.
 */
public final class KubeSource implements Source {
  private static final Duration INTERRUPT_AGAIN_AFTER = Duration.ofMillis(250);
  private static final int MOST_INTERRUPTS = 20;

  private final ApiServer api;
  private final Options options;
  private final List<Resource<?, ?>> resources;
  private final Map<String, WatchCounters> counters = new LinkedHashMap<>();
  private volatile @Nullable ClusterCache newest;

  /**
   * How to watch.
   *
   * @param contentType the format that the server should use; JSON is always accepted too
   * @param nanoTime a clock that only goes forward, in nanoseconds
   * @param random from 0 to below 1, for any number of threads
   * @param serviceProxyName the proxy whose services are read; empty for kube-proxy
   * @param everything whether services and slices that no proxy serves are read, too
   * @param metadata whether labels and annotations of services are kept
   */
  public record Options(
      String contentType,
      Timing timing,
      LongSupplier nanoTime,
      DoubleSupplier random,
      Optional<String> serviceProxyName,
      boolean everything,
      boolean metadata) {
    /** Protobuf. */
    public static final Options DEFAULT =
        new Options(
            ProtobufFormat.TYPE,
            Timing.DEFAULT,
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextDouble(),
            Optional.empty(),
            false,
            false);

    /** These with another content type; the default one if it is empty. */
    public Options withContentType(String type) {
      return new Options(
          type.isEmpty() ? ProtobufFormat.TYPE : type,
          timing,
          nanoTime,
          random,
          serviceProxyName,
          everything,
          metadata);
    }

    /** These for the services of the proxy of that name alone; empty for kube-proxy. */
    public Options withServiceProxyName(Optional<String> name) {
      return new Options(contentType, timing, nanoTime, random, name, false, metadata);
    }

    /** These for all services and slices: commands that show a cluster show what there is. */
    public Options withEverything() {
      return new Options(contentType, timing, nanoTime, random, serviceProxyName, true, metadata);
    }

    /** These with labels and annotations of services, or without. */
    public Options withMetadata(boolean kept) {
      return new Options(contentType, timing, nanoTime, random, serviceProxyName, everything, kept);
    }

    List<String> accept() {
      return contentType.equals(JsonFormat.TYPE)
          ? List.of(contentType)
          : List.of(contentType, JsonFormat.TYPE);
    }
  }

  /** A source that reads from {@code api}; of the nodes only {@code ownNode}, if given. */
  public KubeSource(ApiServer api, Optional<String> ownNode, Options options) {
    this.api = api;
    this.options = options;
    this.resources =
        List.of(
            options.everything()
                ? Resource.allServices(options.metadata())
                : Resource.services(options.serviceProxyName(), options.metadata()),
            options.everything() ? Resource.allSlices() : Resource.slices(),
            Resource.nodes(ownNode),
            Resource.serviceCidrs());
    resources.forEach(it ->
        counters.put(it.name(), new WatchCounters(it.name(), options.nanoTime().getAsLong())));
  }

  /** The state of the watch of each resource. */
  public List<ResourceState> state() {
    long now = options.nanoTime().getAsLong();
    return counters.values().stream().map(counter -> counter.state(now)).toList();
  }

  /**
   * How long the server has given no sign of life; zero while it is watched, however quiet the
   * cluster is. Counted from the start where it never gave one.
   */
  @Override
  public Duration silence() {
    long now = options.nanoTime().getAsLong();
    return counters.values().stream()
        .map(counter -> counter.silence(now))
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  @Override
  public Map<String, String> versions() {
    ClusterCache known = newest;
    return known == null ? Map.of() : known.versions();
  }

  @Override
  public void run(Sink sink) throws InterruptedException {
    ClusterCache cluster = new ClusterCache(sink, counters.keySet());
    newest = cluster;
    String server = api.address().toString();
    ProblemLog problems = new ProblemLog(server, cluster, options.nanoTime());
    SilenceLog silence = new SilenceLog(server, cluster::report);
    Wakeup wakeup = new Wakeup();
    List<ResourceWatch<?, ?>> watches = new ArrayList<>();
    for (Resource<?, ?> resource : resources) {
      watches.add(watch(resource, cluster, problems, wakeup));
    }
    List<Thread> threads =
        watches.stream()
            .map(watch -> Threads.virtual(ResourceWatch.THREAD).lasting().start(watch::run))
            .toList();
    try {
      while (true) {
        Thread.sleep(options.timing().tick());
        try {
          watches.forEach(ResourceWatch::tick);
          silence.look(silence());
        } catch (RuntimeException | Error e) {
          Failures.ofProcess().add(ResourceWatch.THREAD, e);
        }
      }
    } finally {
      end(threads);
    }
  }

  /** Ends the threads; one that times out at the same moment may miss the first interrupt. */
  private static void end(List<Thread> threads) throws InterruptedException {
    for (int i = 0; i < MOST_INTERRUPTS && threads.stream().anyMatch(Thread::isAlive); i++) {
      threads.forEach(Thread::interrupt);
      for (Thread thread : threads) {
        thread.join(INTERRUPT_AGAIN_AFTER);
      }
    }
  }

  private <K extends Comparable<? super K>, V> ResourceWatch<K, V> watch(
      Resource<K, V> resource, ClusterCache cluster, ProblemLog problems, Wakeup wakeup) {
    WatchCounters own = Objects.requireNonNull(counters.get(resource.name()));
    return new ResourceWatch<>(api, resource, options, cluster, problems, own, wakeup);
  }
}
