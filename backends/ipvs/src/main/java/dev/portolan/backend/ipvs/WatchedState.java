package dev.portolan.backend.ipvs;

import dev.portolan.core.net.Ip;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the watch compares the kernel with: written by the thread that syncs, read by the one that
 * watches. What a sync is about to remove leaves this first, so that the watch does not report it.
 */
final class WatchedState {
  private static final int PROBES = 8;

  private final Set<Ip> bound = ConcurrentHashMap.newKeySet();
  private final Set<ServerKey> probes = ConcurrentHashMap.newKeySet();
  private volatile int device;
  private volatile NodeAddresses node = new NodeAddresses(Set.of());

  /** The node's own addresses, as they were last read. */
  NodeAddresses node() {
    return node;
  }

  /** The index of our device; 0 while there is none. */
  int device() {
    return device;
  }

  void device(int index) {
    device = index;
  }

  /** The addresses on our device. */
  Set<Ip> bound() {
    return bound;
  }

  /** A few of the virtual servers: a program that deletes all of them deletes these, too. */
  List<ServerKey> probes() {
    return List.copyOf(probes);
  }

  /** Whether the virtual server is still to be there. */
  boolean expects(ServerKey key) {
    return probes.contains(key);
  }

  /** After a comparison: these are the node's addresses, and these the virtual servers. */
  void expect(NodeAddresses own, Collection<ServerKey> servers) {
    node = own;
    probes.clear();
    expect(servers);
  }

  /** These virtual servers are there too. */
  void expect(Collection<ServerKey> servers) {
    servers.stream().limit(Math.max(0, PROBES - probes.size())).forEach(probes::add);
  }

  void forget(ServerKey key) {
    probes.remove(key);
  }

  void forget() {
    device = 0;
    probes.clear();
    bound.clear();
  }

  /** Whether {@code address} came to, or went from, the node's own addresses. */
  Optional<String> news(Ip address, boolean there) {
    if (!NodeAddresses.counts(address) || node.has(address) == there) {
      return Optional.empty();
    }
    return Optional.of("address " + address + (there ? " is new on this node" : " left this node"));
  }
}
