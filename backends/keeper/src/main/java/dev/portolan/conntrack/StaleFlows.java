package dev.portolan.conntrack;

import dev.portolan.core.backend.ConnectedSocket;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.netlink.conntrack.Flow;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells which flows went stale between two images of a node. It looks at flows only; nothing here
 * asks a kernel.
 *
 * <p>A flow has a destination: an address and port of a service, or a nodePort. Destinations are
 * watched where a flow that was good may now be bad: the destination is new or gone, an endpoint
 * behind it stopped serving, or there was none before. All other flows live on, and where no
 * destination is watched there is nothing to look for. From an image before the cluster was known
 * every one is watched, and the flows of unchanged services still point to serving endpoints, so
 * they live.
 *
 * <p>TCP flows end only where that was asked for, and only those to endpoints that stopped serving:
 * a TCP peer notices by itself that no answer comes.
 */
public final class StaleFlows {
  private final Map<Destination, Owner> watched = new HashMap<>();
  private final NodeFacts factsBefore;
  private final NodeFacts facts;
  private final TcpCleaning tcp;
  private boolean takesAway;

  /** What is behind a destination; {@code gone} where no service has it any more. */
  private record Owner(ServicePortName name, Set<FlowTarget> serving, boolean gone) {}

  private StaleFlows(NodeFacts factsBefore, NodeFacts facts, TcpCleaning tcp) {
    this.factsBefore = factsBefore;
    this.facts = facts;
    this.tcp = tcp;
  }

  /** What to look for after {@code change}. */
  public static StaleFlows after(NodeChange change, TcpCleaning tcp) {
    StaleFlows stale = new StaleFlows(change.before().facts(), change.after().facts(), tcp);
    Map<Destination, Owner> old = new HashMap<>();
    Map<Destination, Owner> now = new HashMap<>();
    for (ServiceChange service : change.services()) {
      stale.collect(service.before(), old);
      stale.collect(service.after(), now);
    }
    stale.takesAway = !change.before().isSynced();
    now.forEach((destination, owner) -> {
      Owner previous = old.remove(destination);
      boolean lost = previous != null && !owner.serving.containsAll(previous.serving);
      stale.takesAway |= lost;
      if (lost || previous == null || previous.serving.isEmpty()) {
        stale.watched.put(destination, owner);
      }
    });
    stale.takesAway |= !old.isEmpty();
    old.forEach((destination, owner) ->
        stale.watched.put(destination, new Owner(owner.name, Set.of(), true)));
    stale.watchMovedNodePorts(change.after());
    return stale;
  }

  /** Where nodePorts are served on other addresses than before, all of them are as new. */
  private void watchMovedNodePorts(NodeImage after) {
    Map<Destination, Owner> all = new HashMap<>();
    if (!factsBefore.nodePortsV4().equals(facts.nodePortsV4())
        || !factsBefore.nodePortsV6().equals(facts.nodePortsV6())) {
      after.services().forEach(service -> collect(service, all));
    }
    all.forEach((destination, owner) -> {
      if (destination.isNodePort()) {
        watched.put(destination, owner);
        takesAway = true;
      }
    });
  }

  private void collect(@Nullable NodeService service, Map<Destination, Owner> destinations) {
    if (service == null) {
      return;
    }
    for (ServicePort port : service.ports()) {
      if (concerns(port.name().protocol())) {
        Owner owner = new Owner(port.name(), FlowTarget.serving(port), false);
        port.addresses().forEach(address -> destinations.put(Destination.of(port, address), owner));
      }
    }
  }

  private boolean concerns(Protocol protocol) {
    return switch (protocol) {
      case UDP -> true;
      case TCP -> tcp != TcpCleaning.NEVER;
      case SCTP -> false;
    };
  }

  /** Whether no flow can have gone stale. */
  public boolean isEmpty() {
    return watched.isEmpty();
  }

  /** Whether an endpoint may be gone that a socket went to by itself. */
  boolean takesAway() {
    return takesAway;
  }

  /** The destinations that stale flows may have. */
  Set<Destination> destinations() {
    return watched.keySet();
  }

  /** Whether some of the destinations are nodePorts, so that the node's addresses matter. */
  public boolean needsNodeAddresses() {
    return watched.keySet().stream().anyMatch(Destination::isNodePort);
  }

  /**
   * The verdict on a flow: empty where it may live on.
   *
   * @param isNodeAddress whether an address is one of this node's
   */
  public Optional<StaleFlow> judge(Flow flow, Predicate<Ip> isNodeAddress) {
    Protocol protocol =
        switch (flow.protocol()) {
          case Flow.UDP -> Protocol.UDP;
          case Flow.TCP -> Protocol.TCP;
          default -> Protocol.SCTP;
        };
    if (!concerns(protocol)) {
      return Optional.empty();
    }
    Owner owner =
        owner(
            protocol,
            ip(flow.original().destination()),
            flow.original().destinationPort(),
            isNodeAddress);
    if (owner == null) {
      return Optional.empty();
    }
    return reason(flow, owner)
        .filter(reason -> protocol == Protocol.UDP || endsTcp(reason, flow.isReplied()))
        .map(reason -> new StaleFlow(flow, reason, owner.name));
  }

  /**
   * Whether a socket of {@code protocol} may not stay with its endpoint: the same verdict as on a
   * flow that was sent there.
   *
   * @param answered whether the endpoint has answered
   */
  boolean judge(
      ConnectedSocket socket, Protocol protocol, boolean answered, Predicate<Ip> isNodeAddress) {
    if (!concerns(protocol)) {
      return false;
    }
    Owner owner = owner(protocol, socket.service(), socket.servicePort(), isNodeAddress);
    if (owner == null) {
      return false;
    }
    FlowTarget target = new FlowTarget(socket.endpoint(), socket.endpointPort());
    return reason(owner, target, true, 0)
        .filter(reason -> protocol == Protocol.UDP || endsTcp(reason, answered))
        .isPresent();
  }

  private @Nullable Owner owner(
      Protocol protocol, Ip address, int port, Predicate<Ip> isNodeAddress) {
    Owner owner = watched.get(new Destination(protocol, address, port));
    if (owner != null) {
      return owner;
    }
    owner = watched.get(Destination.nodePort(protocol, address.family(), port));
    return owner != null && servesNodePorts(address) && isNodeAddress.test(address) ? owner : null;
  }

  private boolean servesNodePorts(Ip address) {
    IpFamily family = address.family();
    return facts.nodePorts(family).accept(address) || factsBefore.nodePorts(family).accept(address);
  }

  private static Optional<StaleReason> reason(Flow flow, Owner owner) {
    return reason(
        owner,
        new FlowTarget(ip(flow.reply().source()), flow.reply().sourcePort()),
        flow.isDestinationRewritten(),
        flow.zone());
  }

  private static Optional<StaleReason> reason(
      Owner owner, FlowTarget target, boolean rewritten, int zone) {
    if (owner.gone) {
      // Without our rules such a flow may well be another program's, unless they sent it elsewhere.
      return rewritten ? Optional.of(StaleReason.SERVICE_GONE) : Optional.empty();
    }
    if (owner.serving.contains(target)) {
      return Optional.empty();
    }
    // Other zones track the same packets a second time, and need not see them rewritten.
    if (!rewritten && zone != 0) {
      return Optional.empty();
    }
    if (owner.serving.isEmpty()) {
      return Optional.of(StaleReason.NO_ENDPOINTS);
    }
    return Optional.of(rewritten ? StaleReason.ENDPOINT_GONE : StaleReason.NOT_FORWARDED);
  }

  private boolean endsTcp(StaleReason reason, boolean answered) {
    return switch (reason) {
      case ENDPOINT_GONE, NO_ENDPOINTS -> tcp == TcpCleaning.ALL || !answered;
      case SERVICE_GONE, NOT_FORWARDED -> false;
    };
  }

  /** An address of the kernel as the model has it. */
  static Ip ip(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return bytes.capacity() == 4
        ? Ip.v4(bytes.getInt())
        : new Ip(bytes.getLong(), bytes.getLong(8));
  }
}
