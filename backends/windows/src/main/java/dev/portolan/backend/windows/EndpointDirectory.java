package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HcnEndpoint;
import dev.portolan.backend.windows.hcn.HostNetworks;
import dev.portolan.core.net.Ip;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BinaryOperator;

/**
 * The endpoints of the network, as they were read last. Reading one takes three calls, so only
 * unknown ones are read.
 */
final class EndpointDirectory {
  private static final Comparator<HcnEndpoint> ORDER =
      Comparator.comparing(HcnEndpoint::remote).thenComparing(HcnEndpoint::id);

  private final HostNetworks hns;
  private final Map<UUID, HcnEndpoint> known = new HashMap<>();
  private final Map<Ip, HcnEndpoint> byAddress = new HashMap<>();

  EndpointDirectory(HostNetworks hns) {
    this.hns = hns;
  }

  /** Reads all endpoints of a network again. */
  void read(UUID network) {
    known.clear();
    refresh(network);
  }

  /** Reads what has come to a network, and forgets what has gone; says whether anything has. */
  boolean refresh(UUID network) {
    List<UUID> ids = hns.endpointIds(network);
    boolean changed = known.keySet().retainAll(new HashSet<>(ids));
    for (UUID id : ids) {
      if (!known.containsKey(id)) {
        Optional<HcnEndpoint> read = hns.endpoint(id);
        read.ifPresent(endpoint -> known.put(id, endpoint));
        changed |= read.isPresent();
      }
    }
    byAddress.clear();
    known.values().forEach(this::index);
    return changed;
  }

  /**
   * If two have one address, the one that is a pod of this node counts, else always the same one.
   */
  private void index(HcnEndpoint endpoint) {
    for (Ip address : endpoint.addresses()) {
      byAddress.merge(address, endpoint, BinaryOperator.minBy(ORDER));
    }
  }

  /** The endpoint with an address. */
  Optional<HcnEndpoint> find(Ip address) {
    return Optional.ofNullable(byAddress.get(address));
  }

  /** Whether there is an endpoint with an identifier. */
  boolean has(UUID id) {
    return known.containsKey(id);
  }

  /** Takes note of an endpoint that was made. */
  void add(HcnEndpoint endpoint) {
    known.put(endpoint.id(), endpoint);
    index(endpoint);
  }

  /** Takes note of an endpoint that was deleted. */
  void remove(HcnEndpoint endpoint) {
    known.remove(endpoint.id());
    endpoint.addresses().forEach(address -> byAddress.remove(address, endpoint));
  }

  /** All remote endpoints. */
  List<HcnEndpoint> remotes() {
    return known.values().stream().filter(HcnEndpoint::remote).toList();
  }

  /** All endpoints. */
  List<HcnEndpoint> all() {
    return List.copyOf(known.values());
  }

  /** The identifiers of all endpoints. */
  Set<UUID> ids() {
    return Set.copyOf(known.keySet());
  }

  /**
   * The remote endpoints whose address a pod of this node has: an error of some versions of Windows
   * that leads packets astray.
   */
  List<HcnEndpoint> duplicates() {
    List<HcnEndpoint> duplicates = new ArrayList<>();
    for (HcnEndpoint remote : remotes()) {
      boolean beside =
          remote.addresses().stream()
              .anyMatch(address -> find(address).filter(one -> !one.remote()).isPresent());
      if (beside) {
        duplicates.add(remote);
      }
    }
    return duplicates;
  }
}
