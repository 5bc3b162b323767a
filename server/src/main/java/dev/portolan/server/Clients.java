package dev.portolan.server;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Current and recent clients. */
final class Clients {
  private final Limits limits;
  private final Set<ClientProgress> connected = new LinkedHashSet<>();
  private final Set<ClientProgress> gone = new LinkedHashSet<>();

  Clients(Limits limits) {
    this.limits = limits;
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
    if (gone.size() > limits.connections()) {
      gone.remove(gone.iterator().next());
    }
    return true;
  }

  /**
   * Forgets those that left long ago. The backend of a node that is still there is missed by
   * somebody, so it is not forgotten.
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
