package dev.portolan.status;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.telemetry.http.BindAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health-check nodePorts: where load balancers ask whether a service has endpoints on this
 * node.
 *
 * <p>What a change leaves as it was stays open. A port that cannot be opened is reported once and
 * retried, with exponential backoff; it never ends the daemon, since any user may ask for one.
 */
public final class ServiceHealthServers implements AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LAST_PAUSE = Duration.ofSeconds(30);

  private final BooleanSupplier proxyHealthy;
  private final Supplier<? extends Collection<Ip>> host;
  private final Listener listener;
  private final Duration firstPause;
  private final Map<NamespacedName, ServiceCheck> checks = new HashMap<>();
  private final Set<ServiceCheck> failing = new HashSet<>();
  private NodeFacts facts = NodeFacts.unknown("");
  private @Nullable Thread opener;
  private boolean closed;

  /** Notified of what an operator should know; must return immediately. */
  public interface Listener {
    /** The port of a service cannot be opened, and is retried. Called once until it is opened. */
    void notOpened(NamespacedName service, int port, String cause);

    /** The port of a service that could not be opened is open now. */
    void opened(NamespacedName service, int port);
  }

  /**
   * No port is open before the first change.
   *
   * @param proxyHealthy whether the proxy itself keeps up: {@link ProxyHealth#serves}
   */
  public ServiceHealthServers(BooleanSupplier proxyHealthy, Listener listener) {
    this(proxyHealthy, CheckAddresses::ofHost, listener, FIRST_PAUSE);
  }

  ServiceHealthServers(
      BooleanSupplier proxyHealthy,
      Supplier<? extends Collection<Ip>> host,
      Listener listener,
      Duration firstPause) {
    this.proxyHealthy = proxyHealthy;
    this.host = host;
    this.listener = listener;
    this.firstPause = firstPause;
  }

  /** Opens, closes and changes what {@code change} asks for. */
  public synchronized void update(NodeChange change) {
    if (closed) {
      return;
    }
    boolean moved = movedBetween(change.before().facts(), change.after().facts());
    facts = change.after().facts();
    List<ServiceChange> changed = changedChecks(change);
    if (changed.isEmpty() && !moved) {
      return;
    }
    endWhereThePortChanged(changed);
    Set<ServiceCheck> toOpen = new HashSet<>(failing);
    for (ServiceChange service : changed) {
      if (service.after() != null && service.after().healthCheckNodePort() != 0) {
        begin(service.after(), toOpen);
      }
    }
    open(moved ? checks.values() : toOpen);
    if (!failing.isEmpty() && opener == null) {
      opener = Threads.virtual("health-check ports").lasting().start(this::keepTrying);
    }
  }

  private static boolean movedBetween(NodeFacts before, NodeFacts after) {
    return !before.families().equals(after.families())
        || !before.nodePortsV4().equals(after.nodePortsV4())
        || !before.nodePortsV6().equals(after.nodePortsV6());
  }

  /** The services that have a check or want one; most changes have none. */
  private List<ServiceChange> changedChecks(NodeChange change) {
    List<ServiceChange> changed = new ArrayList<>();
    for (ServiceChange service : change.services()) {
      if (wantedPort(service) != 0 || checks.containsKey(service.name())) {
        changed.add(service);
      }
    }
    return changed;
  }

  private static int wantedPort(ServiceChange service) {
    return service.after() == null ? 0 : service.after().healthCheckNodePort();
  }

  /** Before any port is opened, since services may swap theirs. */
  private void endWhereThePortChanged(List<ServiceChange> changed) {
    List<ServiceCheck> ended = new ArrayList<>();
    for (ServiceChange service : changed) {
      ServiceCheck check = checks.get(service.name());
      if (check != null && check.port() != wantedPort(service)) {
        checks.remove(service.name());
        failing.remove(check);
        ended.add(check);
      }
    }
    ServiceCheck.closeAll(ended);
  }

  private void begin(NodeService service, Set<ServiceCheck> toOpen) {
    ServiceCheck check = checks.get(service.name());
    if (check == null) {
      check = new ServiceCheck(service.name(), service.healthCheckNodePort(), proxyHealthy);
      checks.put(service.name(), check);
      toOpen.add(check);
    }
    check.endpoints(service.localReadyEndpoints());
  }

  private void open(Collection<ServiceCheck> some) {
    if (some.isEmpty()) {
      return;
    }
    List<BindAddress> addresses = CheckAddresses.of(facts, host);
    for (ServiceCheck check : some) {
      Optional<String> failure = check.listen(addresses);
      String cause =
          addresses.isEmpty()
              ? "this host has no address on which nodePorts are served"
              : failure.orElse("");
      if (cause.isEmpty()) {
        if (failing.remove(check)) {
          listener.opened(check.service(), check.port());
        }
      } else if (failing.add(check)) {
        listener.notOpened(check.service(), check.port(), cause);
      }
    }
  }

  private void keepTrying() {
    Duration pause = firstPause;
    while (true) {
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      synchronized (this) {
        open(List.copyOf(failing));
        if (closed || failing.isEmpty()) {
          opener = null;
          return;
        }
      }
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(LAST_PAUSE) < 0 ? doubled : LAST_PAUSE;
    }
  }

  /** Closes all ports. */
  @Override
  public synchronized void close() {
    closed = true;
    if (opener != null) {
      opener.interrupt();
    }
    ServiceCheck.closeAll(checks.values());
    checks.clear();
    failing.clear();
  }
}
