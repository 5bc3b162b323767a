package dev.portolan.core.fate;

import dev.portolan.core.fate.Fate.Share;
import dev.portolan.core.fate.Turn.Kept.Keeper;
import dev.portolan.core.fate.Turn.Masqueraded.Why;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Dataplane;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Route;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Works out what becomes of new connections on a node: by what is decided for it, and by what its
 * {@link Dataplane} does with that. It is fast enough for every address of a cluster.
 */
public final class Fates {
  private final NodeFacts facts;
  private final Dataplane dataplane;

  /** For a node that {@code dataplane} works on. */
  public Fates(NodeFacts facts, Dataplane dataplane) {
    this.facts = facts;
    this.dataplane = dataplane;
  }

  /**
   * The fate of a connection to {@code address}; {@code destination} is the same but for a
   * nodePort, where it is an address of the node that serves it.
   */
  public Fate of(KnownClient client, ServicePort port, ServiceAddress address, Ip destination) {
    return new Journey(client, port, address, destination).fate();
  }

  /** What becomes of one to a nodePort, at an address of the node that does not serve it. */
  public Elsewhere elsewhere(ServicePort port, Ip destination) {
    Protocol protocol = port.name().protocol();
    boolean nobodyListens =
        destination.isLoopback()
            && dataplane
                .listeners()
                .filter(families ->
                    protocol != Protocol.TCP || !families.contains(destination.family()))
                .isPresent();
    Verdict verdict = dataplane.elsewhere(port);
    return nobodyListens
        ? new Elsewhere.NotOnLocalhost()
        : verdict == Verdict.NONE ? new Elsewhere.NotServed() : new Elsewhere.Ended(verdict);
  }

  /** Whether nodePorts are served at an address of the node, by rules or by a process. */
  public boolean servesNodePorts(Ip address, Protocol protocol) {
    return dataplane.listensOn(address, protocol) || dataplane.servesNodePorts(facts, address);
  }

  /** One connection on its way. */
  private final class Journey {
    private final KnownClient client;
    private final ServicePort port;
    private final ServiceAddress address;
    private final Ip destination;
    private final List<Turn> turns = new ArrayList<>();

    Journey(KnownClient client, ServicePort port, ServiceAddress address, Ip destination) {
      this.client = client;
      this.port = port;
      this.address = address;
      this.destination = destination;
    }

    Fate fate() {
      if (destination.isLoopback() && !client.host()) {
        return Fate.ended(Verdict.NONE, new Turn.NeverSent());
      }
      if (dataplane.listensOn(destination, port.name().protocol())) {
        return listened();
      }
      if (isShutOut()) {
        return new Fate(Verdict.DROP, Optional.empty(), List.of(), turns);
      }
      Traffic traffic = traffic();
      Traffic met = dataplane.hasOneListForAll() ? address.traffic() : traffic;
      turns.add(new Turn.ByPolicy(traffic, met != traffic));
      Route route = dataplane.route(port, met);
      boolean ends = route.verdict() != Verdict.FORWARD;
      if (ends && dataplane.forwardsOnly()) {
        return ended(route, Verdict.NONE, new Turn.NotRefused());
      }
      if (ends && isUnseen()) {
        return ended(route, Verdict.NONE, new Turn.Unseen());
      }
      return switch (route.verdict()) {
        case FORWARD -> forwarded(route, route.pool() != port.route(met).pool());
        case REJECT -> ended(route, Verdict.REJECT, new Turn.Rejected());
        case DROP -> ended(route, Verdict.DROP, new Turn.Dropped());
        case NONE -> ended(route, Verdict.NONE, new Turn.NotRefused());
      };
    }

    private Fate ended(Route route, Verdict verdict, Turn last) {
      turns.add(last);
      return new Fate(verdict, Optional.of(route.pool()), List.of(), turns);
    }

    /** A process of the node only takes endpoints for clients outside. */
    private Fate listened() {
      turns.add(new Turn.Listened());
      Route route = port.route(Traffic.EXTERNAL);
      if (route.verdict() != Verdict.FORWARD) {
        return ended(route, Verdict.REJECT, new Turn.NotListening());
      }
      List<Endpoint> endpoints = dataplane.endpoints(port, route.pool());
      keep(Keeper.LISTENER);
      weigh(endpoints);
      return shared(route, endpoints, false, true);
    }

    /** Whether source ranges keep the client out, where there are any. */
    private boolean isShutOut() {
      List<Cidr> ranges = port.sourceRanges(address);
      if (ranges.isEmpty()) {
        return false;
      }
      Turn turn =
          !dataplane.filters(port, address)
              ? new Turn.Unfiltered(ranges, !dataplane.forwardsOnly())
              : client.isWithin(ranges)
                  ? new Turn.LetIn(ranges, false)
                  : client.isWithin(facts.allowedSources(port, address))
                      ? new Turn.LetIn(ranges, true)
                      : new Turn.ShutOut(ranges);
      turns.add(turn);
      return turn instanceof Turn.ShutOut;
    }

    private Traffic traffic() {
      return address.isExternal()
              && port.routes().shortCircuits()
              && (client.pod() || client.host())
          ? Traffic.SHORT_CIRCUIT
          : address.traffic();
    }

    /** Whether the rules that end connections without endpoints do not see this one. */
    private boolean isUnseen() {
      return !dataplane.endsOwnConnections()
          && client.host()
          && address.isExternal()
          && !address.isNodePort()
          && !facts.addresses().contains(destination);
    }

    private Fate forwarded(Route route, boolean fallback) {
      if (fallback) {
        turns.add(new Turn.Fallback(address.isExternal() && !client.pod() && !client.host()));
      }
      List<Endpoint> endpoints = dataplane.endpoints(port, route.pool());
      turns.add(new Turn.Chosen(port.endpoints(route.pool()).size() - endpoints.size()));
      boolean connected = isConnected();
      keep(dataplane.forwardsOnly() ? Keeper.SYSTEM : connected ? Keeper.SOCKETS : Keeper.RULES);
      if (port.balancing().kind().hashes()) {
        turns.add(new Turn.Hashed(dataplane.hashesClients()));
      }
      weigh(endpoints);
      Optional<Turn> source = source(route, connected);
      source.ifPresent(turns::add);
      boolean masquerade =
          source
              .filter(turn -> turn instanceof Turn.Relayed || turn instanceof Turn.Masqueraded)
              .isPresent();
      return shared(
          route, endpoints, masquerade, !masquerade && !connected && !dataplane.forwardsOnly());
    }

    private boolean isConnected() {
      return client.here()
          && (!address.isNodePort() || facts.addresses().contains(destination))
          && dataplane.connectsSockets(port, address, facts);
    }

    private void keep(Keeper keeper) {
      if (port.affinitySeconds() > 0) {
        turns.add(new Turn.Kept(keeper));
      }
    }

    private void weigh(List<Endpoint> endpoints) {
      Balancing balancing = port.balancing();
      if (!balancing.isWeighted()) {
        return;
      }
      if (dataplane.forwardsOnly()) {
        turns.add(new Turn.Unweighted());
        return;
      }
      IntSummaryStatistics weights =
          endpoints.stream().mapToInt(balancing::weight).summaryStatistics();
      if (weights.getMin() != weights.getMax()) {
        turns.add(new Turn.Weighted(weights.getMin(), weights.getMax(), (int) weights.getSum()));
      }
    }

    /** What decides on the source that endpoints see; nothing where it stays the client's. */
    private Optional<Turn> source(Route route, boolean connected) {
      if (dataplane.relays(port.name().protocol())) {
        return Optional.of(new Turn.Relayed());
      }
      if (connected) {
        return Optional.of(new Turn.Connected());
      }
      return dataplane.forwardsOnly()
          ? Optional.of(new Turn.LeftToSystem())
          : masquerade(route).map(Turn.Masqueraded::new);
    }

    private Optional<Why> masquerade(Route route) {
      return switch (route.masquerade()) {
        case ALL -> Optional.of(Why.ANSWERS);
        case ALL_BUT_PODS -> {
          boolean detects = !(facts.detector(port.family()) instanceof LocalDetector.Undetected);
          yield facts.masqueradeAll()
              ? Optional.of(Why.ALL_CLUSTER_IPS)
              : detects
                  ? Optional.of(Why.NOT_A_POD).filter(_ -> !client.pod())
                  : Optional.of(Why.OWN_CLUSTER_IP)
                      .filter(_ -> dataplane.carriesAddresses() && client.host());
        }
        case NODE -> Optional.of(Why.NODE_ITSELF).filter(_ -> client.host() && !client.pod());
        case NONE -> Optional.empty();
      };
    }

    private Fate shared(
        Route route, List<Endpoint> endpoints, boolean masquerade, boolean mayReachItself) {
      ToIntFunction<Endpoint> weight = dataplane.forwardsOnly() ? _ -> 1 : port.balancing()::weight;
      double total = endpoints.stream().mapToInt(weight).sum();
      List<Share> shares = new ArrayList<>(endpoints.size());
      for (Endpoint endpoint : endpoints) {
        boolean hairpin =
            mayReachItself && facts.isLocal(endpoint) && client.is(endpoint.address());
        if (hairpin) {
          turns.add(new Turn.Hairpin(endpoint));
        }
        shares.add(new Share(endpoint, weight.applyAsInt(endpoint) / total, masquerade || hairpin));
      }
      return new Fate(Verdict.FORWARD, Optional.of(route.pool()), shares, turns);
    }
  }
}
