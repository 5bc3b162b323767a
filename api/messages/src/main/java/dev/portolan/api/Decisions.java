package dev.portolan.api;

import dev.portolan.api.localv1.Choice;
import dev.portolan.api.localv1.Decision;
import dev.portolan.api.localv1.Service;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServiceAddress.Kind;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a node should do with a service, exactly: what is read equals what was written. */
final class Decisions {
  private Decisions() {}

  static Decision write(NodeService service) {
    Decision.Builder decision =
        Decision.newBuilder()
            .setLocalReadyEndpoints(service.localReadyEndpoints())
            .setPreservesDestination(service.preservesDestination());
    for (ServicePort port : service.ports()) {
      decision.addPorts(write(port));
    }
    return decision.build();
  }

  private static dev.portolan.api.localv1.ServicePort write(ServicePort port) {
    Routes routes = port.routes();
    dev.portolan.api.localv1.ServicePort.Builder message =
        dev.portolan.api.localv1.ServicePort.newBuilder()
            .setName(port.name().port())
            .setProtocol(KpngFields.protocol(port.name().protocol()))
            .setClusterIP(port.clusterIp().address().toString())
            .setPort(port.clusterIp().port())
            .setNodePort(port.nodePort())
            .setInternalTrafficToLocal(routes.internal().pool() == Pool.LOCAL)
            .setExternalTrafficToLocal(routes.external().pool() == Pool.LOCAL)
            .setAffinitySeconds(port.affinitySeconds())
            .setBalancing(write(port.balancing().kind()))
            .setInternal(write(routes.internal().verdict()))
            .setExternal(write(routes.external().verdict()))
            .setShortCircuit(write(routes.shortCircuit().verdict()));
    port.ips(Kind.EXTERNAL_IP).forEach(ip -> message.addExternalIPs(ip.toString()));
    port.ips(Kind.LOAD_BALANCER_IP).forEach(ip -> message.addLoadBalancerIPs(ip.toString()));
    port.sourceRanges().forEach(range -> message.addSourceRanges(range.toString()));
    addChoices(port, message);
    return message.build();
  }

  /** Lays the three lists into one; all are in the order of their addresses. */
  private static void addChoices(
      ServicePort port, dev.portolan.api.localv1.ServicePort.Builder message) {
    Cursor cluster = new Cursor(port.cluster());
    Cursor local = new Cursor(port.local());
    Cursor serving = new Cursor(port.serving());
    while (true) {
      Endpoint next = cluster.orEarlier(local.orEarlier(serving.head));
      if (next == null) {
        return;
      }
      int weight = port.balancing().weight(next);
      message.addEndpoints(
          Choice.newBuilder()
              .setIP(next.address().toString())
              .setPort(next.port())
              .setNode(next.node())
              .setCluster(cluster.pass(next))
              .setLocal(local.pass(next))
              .setServing(serving.pass(next))
              .setWeight(weight == 1 ? 0 : weight));
    }
  }

  /** A list that is read from its start. */
  private static final class Cursor {
    private final Iterator<Endpoint> rest;
    private @Nullable Endpoint head;

    Cursor(List<Endpoint> endpoints) {
      rest = endpoints.iterator();
      advance();
    }

    /** Whichever comes first, this list's next endpoint or {@code other}. */
    @Nullable Endpoint orEarlier(@Nullable Endpoint other) {
      return head == null || (other != null && other.compareTo(head) < 0) ? other : head;
    }

    /** Goes on if {@code endpoint} is the next one here, and says whether it was. */
    boolean pass(Endpoint endpoint) {
      boolean here = endpoint.equals(head);
      if (here) {
        advance();
      }
      return here;
    }

    private void advance() {
      head = rest.hasNext() ? rest.next() : null;
    }
  }

  static dev.portolan.api.localv1.Verdict write(Verdict verdict) {
    return switch (verdict) {
      case FORWARD -> dev.portolan.api.localv1.Verdict.Forward;
      case REJECT -> dev.portolan.api.localv1.Verdict.Reject;
      case DROP -> dev.portolan.api.localv1.Verdict.Drop;
      case NONE -> dev.portolan.api.localv1.Verdict.NoVerdict;
    };
  }

  private static dev.portolan.api.localv1.Balancing write(Balancing.Kind kind) {
    return switch (kind) {
      case RANDOM -> dev.portolan.api.localv1.Balancing.Random;
      case MAGLEV -> dev.portolan.api.localv1.Balancing.Maglev;
      case MAGLEV_ADDRESS -> dev.portolan.api.localv1.Balancing.MaglevAddress;
    };
  }

  /** Reads a service whose decision is there. */
  static NodeService read(Service message, FieldPath place) throws WireException {
    NamespacedName name = place.labels(message.getNamespace(), message.getName());
    List<dev.portolan.api.localv1.ServicePort> messages = message.getDecision().getPortsList();
    List<ServicePort> ports = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      ports.add(read(messages.get(i), name, place.element("Decision.Ports", i)));
    }
    return new NodeService(
            name,
            place.type(message.getType()),
            place.optionalPort("HealthCheckNodePort", message.getHealthCheckNodePort()),
            place.notNegative(
                "Decision.LocalReadyEndpoints", message.getDecision().getLocalReadyEndpoints()),
            ports)
        .preservingDestination(message.getDecision().getPreservesDestination());
  }

  private static ServicePort read(
      dev.portolan.api.localv1.ServicePort message, NamespacedName service, FieldPath place)
      throws WireException {
    Ip clusterIp = place.ip("ClusterIP", message.getClusterIP());
    IpFamily family = clusterIp.family();
    ServicePortName name =
        new ServicePortName(
            service, place.portName(message.getName()), place.protocol(message.getProtocol()));
    List<ServiceAddress> addresses =
        ServiceAddress.list(
            clusterIp,
            place.port("Port", message.getPort()),
            place.ips("ExternalIPs", message.getExternalIPsList(), family),
            place.ips("LoadBalancerIPs", message.getLoadBalancerIPsList(), family),
            place.optionalPort("NodePort", message.getNodePort()));
    List<Cidr> sourceRanges = place.cidrs("SourceRanges", message.getSourceRangesList(), family);
    int affinitySeconds = place.notNegative("AffinitySeconds", message.getAffinitySeconds());
    List<Endpoint> endpoints = endpoints(message, family, place);
    Routes routes =
        Routes.of(
            pool(message.getInternalTrafficToLocal()),
            verdict("Internal", message.getInternal(), place),
            pool(message.getExternalTrafficToLocal()),
            verdict("External", message.getExternal(), place),
            verdict("ShortCircuit", message.getShortCircuit(), place));
    ServicePort port =
        new ServicePort(
            name,
            addresses,
            sourceRanges,
            affinitySeconds,
            balancing(message, endpoints, place),
            routes,
            chosen(message, endpoints, Choice::getCluster),
            chosen(message, endpoints, Choice::getLocal),
            chosen(message, endpoints, Choice::getServing));
    for (Traffic traffic : Traffic.values()) {
      boolean possible = traffic == Traffic.INTERNAL || port.isExternallyAccessible();
      if (port.verdict(traffic) == Verdict.FORWARD
          && (!possible || port.endpoints(traffic).isEmpty())) {
        throw place.wrong("says to forward traffic, but no endpoint is chosen for it");
      }
    }
    return port;
  }

  private static List<Endpoint> endpoints(
      dev.portolan.api.localv1.ServicePort message, IpFamily family, FieldPath place)
      throws WireException {
    List<Endpoint> endpoints = new ArrayList<>(message.getEndpointsCount());
    for (int i = 0; i < message.getEndpointsCount(); i++) {
      Choice choice = message.getEndpoints(i);
      FieldPath here = place.element("Endpoints", i);
      Endpoint endpoint =
          new Endpoint(
              here.ip("IP", choice.getIP(), family),
              here.port("Port", choice.getPort()),
              choice.getNode().intern()); // A node has many endpoints.
      if (i > 0 && endpoints.getLast().compareTo(endpoint) >= 0) {
        throw here.wrong(endpoint + " is out of order after " + endpoints.getLast());
      }
      endpoints.add(endpoint);
    }
    return endpoints;
  }

  private static Balancing balancing(
      dev.portolan.api.localv1.ServicePort message, List<Endpoint> endpoints, FieldPath place)
      throws WireException {
    Balancing.Kind kind =
        switch (message.getBalancing()) {
          case Random -> Balancing.Kind.RANDOM;
          case Maglev -> Balancing.Kind.MAGLEV;
          case MaglevAddress -> Balancing.Kind.MAGLEV_ADDRESS;
          case UNRECOGNIZED ->
              throw place.wrong("Balancing", "a balancing that only a newer server knows");
        };
    Map<Endpoint, Integer> weights = new HashMap<>();
    for (int i = 0; i < endpoints.size(); i++) {
      int weight = message.getEndpoints(i).getWeight();
      if (weight < 0 || weight > Balancing.LARGEST_WEIGHT) {
        throw place
            .element("Endpoints", i)
            .wrong("Weight", weight + " is not from 0 to " + Balancing.LARGEST_WEIGHT);
      }
      if (weight > 1) {
        weights.put(endpoints.get(i), weight);
      }
    }
    return Balancing.of(kind, weights);
  }

  private static List<Endpoint> chosen(
      dev.portolan.api.localv1.ServicePort message,
      List<Endpoint> endpoints,
      Predicate<Choice> chosen) {
    List<Endpoint> found = new ArrayList<>(endpoints.size());
    for (int i = 0; i < endpoints.size(); i++) {
      if (chosen.test(message.getEndpoints(i))) {
        found.add(endpoints.get(i));
      }
    }
    return found;
  }

  static Verdict verdict(String field, dev.portolan.api.localv1.Verdict verdict, FieldPath place)
      throws WireException {
    return switch (verdict) {
      case Forward -> Verdict.FORWARD;
      case Reject -> Verdict.REJECT;
      case Drop -> Verdict.DROP;
      case NoVerdict -> Verdict.NONE;
      case UNRECOGNIZED -> throw place.wrong(field, "a verdict that only a newer server knows");
    };
  }

  static Pool pool(boolean local) {
    return local ? Pool.LOCAL : Pool.CLUSTER;
  }
}
