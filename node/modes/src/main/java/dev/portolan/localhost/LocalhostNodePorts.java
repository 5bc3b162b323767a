package dev.portolan.localhost;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.Threads;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Listens on localhost for each TCP nodePort that has endpoints for external traffic.
 *
 * <p>What a change leaves as it was stays open, with its connections. A port that cannot be opened
 * is reported once and retried; it never ends the daemon.
 */
public final class LocalhostNodePorts implements AutoCloseable {
  private static final Duration RETRY = Duration.ofSeconds(30);

  private final LocalhostFamilies families;
  private final Listener listener;
  private final Duration retry;
  private final Map<NamespacedName, Set<Place>> byService = new HashMap<>();
  private final Map<Place, Wanted> wanted = new TreeMap<>();
  private final Map<Place, LocalhostPort> open = new HashMap<>();
  private final Set<Place> failing = new HashSet<>();
  private @Nullable Thread opener;
  private boolean closed;

  /** Notified of what an operator should know; must return immediately. */
  public interface Listener {
    /** A port cannot be opened; {@code first} unless it was so before. */
    void notOpened(IpFamily family, int port, String cause, boolean first);

    /** Sets how many ports of a family are open. */
    void listening(IpFamily family, int count);
  }

  /** A nodePort on the loopback address of a family. */
  record Place(IpFamily family, int port) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byFamily = family.compareTo(other.family);
      return byFamily != 0 ? byFamily : Integer.compare(port, other.port);
    }
  }

  /** Where its connections may go, drawn with equal chance, and for how long clients stay. */
  record Wanted(List<Endpoint> endpoints, int affinitySeconds) {}

  /** No port is open before the first change. */
  public LocalhostNodePorts(LocalhostFamilies families, Listener listener) {
    this(families, listener, RETRY);
  }

  LocalhostNodePorts(LocalhostFamilies families, Listener listener, Duration retry) {
    this.families = families;
    this.listener = listener;
    this.retry = retry;
  }

  /** Opens, closes and changes what {@code change} asks for. */
  public synchronized void update(NodeChange change) {
    if (closed || families.served().isEmpty()) {
      return;
    }
    if (change.isFull()) {
      List<NodeService> all = new ArrayList<>();
      change.after().services().forEach(all::add);
      byService.clear();
      wanted.clear();
      all.forEach(service -> want(service, change.after()));
    } else {
      change.removed().forEach(service -> forget(service.name()));
      change.set().forEach(service -> forget(service.name()));
      change.set().forEach(service -> want(service, change.after()));
    }
    settle();
  }

  private void forget(NamespacedName service) {
    Set<Place> places = byService.remove(service);
    if (places != null) {
      places.forEach(wanted::remove);
    }
  }

  private void want(NodeService service, NodeImage image) {
    for (ServicePort port : service.ports()) {
      Route route = port.route(Traffic.EXTERNAL);
      if (port.nodePort() != 0
          && port.name().protocol() == Protocol.TCP
          && route.verdict() == Verdict.FORWARD
          && families.served().contains(port.family())
          && image.facts().families().contains(port.family())) {
        Place place = new Place(port.family(), port.nodePort());
        List<Endpoint> turns = port.balancing().turns(port.endpoints(route.pool()));
        wanted.put(place, new Wanted(turns, port.affinitySeconds()));
        byService.computeIfAbsent(service.name(), key -> new HashSet<>()).add(place);
      }
    }
  }

  /** Makes what is open equal to what is wanted. */
  private void settle() {
    for (Place place : List.copyOf(open.keySet())) {
      if (!wanted.containsKey(place)) {
        Objects.requireNonNull(open.remove(place)).close();
      }
    }
    failing.retainAll(wanted.keySet());
    wanted.forEach((place, now) -> {
      LocalhostPort there = open.get(place);
      if (there != null) {
        there.serve(now);
      } else {
        open(place, now);
      }
    });
    for (IpFamily family : families.served()) {
      listener.listening(
          family, (int) open.keySet().stream().filter(at -> at.family == family).count());
    }
    if (!failing.isEmpty() && opener == null) {
      opener = Threads.virtual("localhost nodePorts").lasting().start(this::keepTrying);
    }
  }

  private void open(Place place, Wanted now) {
    try {
      open.put(place, LocalhostPort.open(place, now));
      failing.remove(place);
    } catch (IOException e) {
      listener.notOpened(
          place.family, place.port, String.valueOf(e.getMessage()), failing.add(place));
    }
  }

  private void keepTrying() {
    while (true) {
      try {
        Thread.sleep(retry);
      } catch (InterruptedException e) {
        return;
      }
      synchronized (this) {
        if (closed) {
          return;
        }
        settle();
        if (failing.isEmpty()) {
          opener = null;
          return;
        }
      }
    }
  }

  /** Closes all ports and their connections. */
  @Override
  public synchronized void close() {
    closed = true;
    if (opener != null) {
      opener.interrupt();
    }
    open.values().forEach(LocalhostPort::close);
    open.clear();
  }
}
