package dev.portolan.compare.decisions;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.core.text.Tree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects what groups of nodes see of one port in one family, and what differs in it. */
final class PortTally {
  private static final Traffic[] KINDS = Traffic.values();

  private final ServicePort port;
  private final BitSet nodes = new BitSet();
  private final PropertyTally properties = new PropertyTally();
  private final Map<ServiceAddress, BitSet> addressesGained = new TreeMap<>();
  private final Map<ServiceAddress, BitSet> addressesLost = new TreeMap<>();
  private final Map<Endpoint, BitSet> stopped = new TreeMap<>();
  private final List<TrafficTally> traffic = new ArrayList<>();
  private boolean wasThere;
  private boolean isThere;

  /** Collects for a port; {@code port} is any version of it. */
  PortTally(ServicePort port) {
    this.port = port;
    for (Traffic kind : KINDS) {
      traffic.add(new TrafficTally(kind));
    }
  }

  /** Adds what some nodes see; null where there is no such port. */
  void add(@Nullable ServicePort before, @Nullable ServicePort after, BitSet where) {
    wasThere |= before != null;
    isThere |= after != null;
    traffic.forEach(kind -> kind.add(before, after, where));
    if (before == null ? after == null : before.equals(after)) {
      return;
    }
    nodes.or(where);
    Sorted.difference(list(before), list(after), where, addressesLost);
    Sorted.difference(list(after), list(before), where, addressesGained);
    Sorted.difference(serving(before), serving(after), where, stopped);
    if (before != null && after != null) {
      compare(before, after, where);
    }
  }

  private static List<ServiceAddress> list(@Nullable ServicePort port) {
    return port == null ? List.of() : port.addresses();
  }

  private static List<Endpoint> serving(@Nullable ServicePort port) {
    return port == null ? List.of() : port.serving();
  }

  private void compare(ServicePort before, ServicePort after, BitSet where) {
    Tree.differences(before, after, (field, old, now) -> properties.add(field, old, now, where));
    for (Traffic kind : KINDS) {
      Route old = before.route(kind);
      Route now = after.route(kind);
      if (old.verdict() != Verdict.NONE && now.verdict() != Verdict.NONE) {
        String label = TrafficTally.label(kind);
        properties.add(label + "Pool", old.pool(), now.pool(), where);
        properties.add(label + "Masquerade", word(old), word(now), where);
      }
    }
  }

  private static String word(Route route) {
    return route.masquerade().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Whether anything differs. */
  boolean differs() {
    return !nodes.isEmpty();
  }

  /** What differs. */
  PortDifference difference(NodeSets sets) {
    List<TrafficDifference> kinds = new ArrayList<>();
    for (TrafficTally kind : traffic) {
      if (kind.differs()) {
        kinds.add(kind.difference(sets));
      }
    }
    return new PortDifference(
        port.name(),
        port.family(),
        port.clusterIp(),
        !wasThere ? Presence.ADDED : isThere ? Presence.CHANGED : Presence.REMOVED,
        sets.of(nodes),
        addresses(addressesGained, sets),
        addresses(addressesLost, sets),
        properties.changes(sets),
        kinds,
        TrafficTally.endpoints(stopped, sets));
  }

  private static List<AddressChange> addresses(Map<ServiceAddress, BitSet> found, NodeSets sets) {
    List<AddressChange> changes = new ArrayList<>();
    found.forEach((address, where) -> changes.add(new AddressChange(address, sets.of(where))));
    return changes;
  }
}
