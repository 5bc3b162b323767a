package dev.portolan.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Current and recent clients. */
final class Clients {
  /** Longer than any client of ours pauses before it tries again to connect. */
  private static final Duration RETURN = Duration.ofSeconds(10);

  /** How many clients that left are remembered for one node, each under its own name. */
  private static final int MOST_GONE = 16;

  private final Limits limits;
  private final long begun = System.nanoTime();
  private final Set<ClientProgress> connected = new LinkedHashSet<>();
  private final Set<ClientProgress> gone = new LinkedHashSet<>();

  Clients(Limits limits) {
    this.limits = limits;
  }

  /** Whether clients of an earlier server had the time to come back to this one. */
  boolean areBack() {
    return System.nanoTime() - begun > RETURN.toNanos();
  }

  /** Takes note of a client, in place of one with the same name for the same node that is gone. */
  synchronized void add(ClientProgress client) {
    connected.add(client);
    gone.removeIf(left -> left.isReplacedBy(client));
  }

  /** The client left; returns whether it was here. */
  synchronized boolean remove(ClientProgress client) {
    if (!connected.remove(client)) {
      return false;
    }
    gone.add(client);
    List<ClientProgress> ofNode =
        gone.stream().filter(left -> left.node().equals(client.node())).toList();
    if (ofNode.size() > MOST_GONE) {
      gone.remove(ofNode.getFirst());
    }
    if (gone.size() > limits.connections()) {
      gone.remove(gone.iterator().next());
    }
    return true;
  }

  /**
   * Forgets those that left long ago, except the backend of a node that still exists: an operator
   * should see that the backend is gone.
   *
   * @param isNode whether the cluster has a Node of that name
   */
  synchronized void sweep(Predicate<String> isNode) {
    Instant longAgo = Instant.now().minus(limits.forgotten());
    gone.removeIf(client -> {
      ClientStatus status = client.status();
      boolean missed = status.reports() && isNode.test(status.node());
      return client.isGoneSince(longAgo) && !missed;
    });
  }

  /** How far each connected client is that works for a node and reports, by node. */
  Map<String, List<ClientProgress.Reported>> reporting() {
    List<ClientProgress> all;
    synchronized (this) {
      all = new ArrayList<>(connected);
    }
    return all.stream()
        .flatMap(client -> client.reported().stream())
        .collect(Collectors.groupingBy(ClientProgress.Reported::node));
  }

  /** All of them, by node, then by client. */
  List<ClientStatus> statuses() {
    List<ClientProgress> all;
    synchronized (this) {
      all = new ArrayList<>(connected);
      all.addAll(gone);
    }
    return all.stream()
        .map(ClientProgress::status)
        .sorted(
            Comparator.comparing(ClientStatus::node)
                .thenComparing(ClientStatus::client)
                .thenComparing(ClientStatus::peer))
        .toList();
  }
}
