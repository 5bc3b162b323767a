package dev.portolan.mode;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** What single backends count beside syncs, read on request; most count nothing. */
public interface BackendCounters {
  /** For a backend that counts nothing. */
  BackendCounters NONE = new BackendCounters() {};

  /**
   * What iptables-restore came to in one family.
   *
   * @param failures how many runs failed
   * @param partialFailures how many of them had only what had changed
   * @param rules how many rules of ours a table holds
   * @param written how many rules the last run wrote to a table
   */
  record RestoreStatus(
      IpFamily family,
      long failures,
      long partialFailures,
      ToLongFunction<String> rules,
      ToLongFunction<String> written) {}

  /** Packets to nodePorts that were rejected on localhost. */
  record RejectedPackets(IpFamily family, Protocol protocol, long packets) {}

  /**
   * What translates sockets.
   *
   * @param active whether it does; otherwise rules serve everything
   * @param entries how many entries its maps have
   */
  record SocketStatus(boolean active, int entries) {}

  /**
   * What passes through this process.
   *
   * @param connections how many connections of TCP are open
   * @param portals how many sockets take new ones
   */
  record ProxyStatus(int connections, int portals) {}

  /**
   * Load balancers of Windows that were not changed.
   *
   * @param change what was not done: {@code create}, {@code update} or {@code delete}
   * @param type what they are for, as kube-proxy calls it
   * @param error why, as kube-proxy calls it
   * @param count how often
   */
  record BalancerFailures(String change, IpFamily family, String type, String error, long count) {}

  /** The load balancers of Windows that were not changed. */
  default List<BalancerFailures> balancerFailures() {
    return List.of();
  }

  /** What passes through this process, in a mode in which traffic does. */
  default Optional<ProxyStatus> proxy() {
    return Optional.empty();
  }

  /** What translates sockets, in a mode that has it. */
  default Optional<SocketStatus> sockets() {
    return Optional.empty();
  }

  /** The runs of iptables-restore, by family. */
  default List<RestoreStatus> restores() {
    return List.of();
  }

  /** The packets that were dropped because conntrack called them invalid. */
  default OptionalLong droppedInvalid() {
    return OptionalLong.empty();
  }

  /** The packets to nodePorts on localhost that were accepted. */
  default OptionalLong acceptedOnLocalhost() {
    return OptionalLong.empty();
  }

  /** The packets to nodePorts on localhost that were rejected. */
  default List<RejectedPackets> rejectedOnLocalhost() {
    return List.of();
  }
}
