package dev.portolan.conntrack;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.conntrack.Conntrack;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.conntrack.FlowFilter;
import dev.portolan.netlink.route.Links;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Ends the flows in the kernel that a change of services has made stale. Call it after each
 * successful sync, from one thread at a time; a change after a failure must start from the image of
 * the last call that succeeded.
 */
public final class FlowCleaner implements AutoCloseable {
  /**
   * How many times a table is read if it keeps changing so fast that flows may have been missed.
   */
  private static final int READINGS = 3;

  private final Conntrack conntrack;
  private final Links links;
  private final TcpCleaning tcp;

  /**
   * Works in this process's network namespace, or in the one that {@code namespace} names.
   *
   * @throws BackendException where the kernel does not let this process look at flows
   */
  public FlowCleaner(Optional<Path> namespace, TcpCleaning tcp) {
    this.tcp = tcp;
    try {
      conntrack = new Conntrack(namespace);
    } catch (NetlinkException e) {
      throw failure(e);
    }
    try {
      links = new Links(namespace);
    } catch (NetlinkException e) {
      conntrack.close();
      throw failure(e);
    }
  }

  private static BackendException failure(NetlinkException cause) {
    return new BackendException("conntrack: " + cause.getMessage(), cause);
  }

  /**
   * Ends what went stale with {@code change}.
   *
   * @throws BackendException where flows or addresses cannot be read; a flow that cannot be deleted
   *     is only part of the result
   */
  public Cleaning clean(NodeChange change) {
    try {
      return clean(StaleFlows.after(change, tcp));
    } catch (NetlinkException e) {
      throw failure(e);
    }
  }

  private Cleaning clean(StaleFlows stale) {
    if (stale.isEmpty()) {
      return Cleaning.NONE;
    }
    List<Cleaning.Pass> passes = new ArrayList<>();
    Predicate<Ip> isNodeAddress =
        stale.needsNodeAddresses() ? nodeAddresses()::contains : address -> false;
    for (IpFamily family : IpFamily.values()) {
      List<FlowFilter> filters = filters(stale, family);
      if (!filters.isEmpty()) {
        passes.add(pass(family, filters, stale, isNodeAddress));
      }
    }
    return new Cleaning(passes);
  }

  @Override
  public void close() {
    conntrack.close();
    links.close();
  }

  private Cleaning.Pass pass(
      IpFamily family, List<FlowFilter> filters, StaleFlows stale, Predicate<Ip> isNodeAddress) {
    long start = System.nanoTime();
    int[] examined = {0};
    Set<Flow> doomed = new LinkedHashSet<>();
    Map<StaleReason, Integer> reasons = new EnumMap<>(StaleReason.class);
    for (FlowFilter filter : filters) {
      for (int i = 0; i < READINGS; i++) {
        boolean whole =
            conntrack.forEach(
                filter,
                flow -> {
                  examined[0]++;
                  stale
                      .judge(flow, isNodeAddress)
                      .filter(found -> doomed.add(flow))
                      .ifPresent(found -> reasons.merge(found.reason(), 1, Integer::sum));
                });
        if (whole) {
          break;
        }
      }
    }
    Conntrack.Deletion deletion = conntrack.delete(List.copyOf(doomed));
    return new Cleaning.Pass(
        family,
        examined[0],
        reasons,
        deletion.deleted(),
        deletion.alreadyGone(),
        deletion.failed(),
        deletion.firstFailure().map(failure -> "conntrack: " + failure.getMessage()),
        Duration.ofNanos(System.nanoTime() - start));
  }

  /** What the kernel is asked for: all flows of a protocol, or those to the only destination. */
  private static List<FlowFilter> filters(StaleFlows stale, IpFamily family) {
    List<FlowFilter> filters = new ArrayList<>();
    for (Protocol protocol : List.of(Protocol.UDP, Protocol.TCP)) {
      List<Destination> destinations =
          stale.destinations().stream()
              .filter(to -> to.family() == family && to.protocol() == protocol)
              .limit(2)
              .toList();
      if (destinations.isEmpty()) {
        continue;
      }
      AddressFamily wanted = family == IpFamily.IPV6 ? AddressFamily.IPV6 : AddressFamily.IPV4;
      FlowFilter all =
          protocol == Protocol.UDP
              ? FlowFilter.of(wanted, Flow.UDP)
              : FlowFilter.of(wanted, Flow.TCP).withStatus(Flow.DESTINATION_NAT);
      Destination first = destinations.getFirst();
      filters.add(
          destinations.size() == 1 && !first.isNodePort()
              ? all.to(inetAddress(first.address()), first.port())
              : all);
    }
    return filters;
  }

  private Set<Ip> nodeAddresses() {
    return links.addresses().stream()
        .map(address -> StaleFlows.ip(address.address()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static InetAddress inetAddress(Ip ip) {
    try {
      return InetAddress.getByAddress(ip.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of 4 or 16 bytes is refused", e);
    }
  }
}
