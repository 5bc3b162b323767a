package dev.portolan.api;

import dev.portolan.api.localv1.Choice;
import dev.portolan.api.localv1.Decision;
import dev.portolan.api.localv1.Service;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Selection;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node shall do with a service, exactly: what is read equals what was written. */
final class Decisions {
  private Decisions() {}

  static Decision write(NodeService service) {
    Decision.Builder decision =
        Decision.newBuilder().setLocalReadyEndpoints(service.localReadyEndpoints());
    for (ServicePort port : service.ports()) {
      decision.addPorts(write(port));
    }
    return decision.build();
  }

  private static dev.portolan.api.localv1.ServicePort write(ServicePort port) {
    Frontend frontend = port.frontend();
    Selection selection = port.selection();
    dev.portolan.api.localv1.ServicePort.Builder message =
        dev.portolan.api.localv1.ServicePort.newBuilder()
            .setName(frontend.name().port())
            .setProtocol(KpngFields.protocol(frontend.name().protocol()))
            .setClusterIP(frontend.clusterIp().toString())
            .setPort(frontend.port())
            .setNodePort(frontend.nodePort())
            .setInternalTrafficToLocal(frontend.internalPolicy() == TrafficPolicy.LOCAL)
            .setExternalTrafficToLocal(frontend.externalPolicy() == TrafficPolicy.LOCAL)
            .setAffinitySeconds(frontend.affinitySeconds())
            .setInternal(write(selection.internal()))
            .setExternal(write(selection.external()))
            .setShortCircuit(write(selection.shortCircuit()));
    frontend.externalIps().forEach(ip -> message.addExternalIPs(ip.toString()));
    frontend.loadBalancerIps().forEach(ip -> message.addLoadBalancerIPs(ip.toString()));
    frontend.sourceRanges().forEach(range -> message.addSourceRanges(range.toString()));
    addChoices(selection, message);
    return message.build();
  }

  /** Lays the three lists into one; all are in the order of their addresses. */
  private static void addChoices(
      Selection selection, dev.portolan.api.localv1.ServicePort.Builder message) {
    Cursor cluster = new Cursor(selection.cluster());
    Cursor local = new Cursor(selection.local());
    Cursor serving = new Cursor(selection.serving());
    while (true) {
      Endpoint next = cluster.orEarlier(local.orEarlier(serving.head));
      if (next == null) {
        return;
      }
      message.addEndpoints(
          Choice.newBuilder()
              .setIP(next.address().toString())
              .setPort(next.port())
              .setNode(next.node())
              .setCluster(cluster.pass(next))
              .setLocal(local.pass(next))
              .setServing(serving.pass(next)));
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

  /** Reads a service whose decision is there. */
  static NodeService read(Service message, Place place) throws WireException {
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
        ports);
  }

  private static ServicePort read(
      dev.portolan.api.localv1.ServicePort message, NamespacedName service, Place place)
      throws WireException {
    Ip clusterIp = place.ip("ClusterIP", message.getClusterIP());
    IpFamily family = clusterIp.family();
    ServicePortName name =
        new ServicePortName(
            service, place.portName(message.getName()), place.protocol(message.getProtocol()));
    Frontend frontend =
        new Frontend(
            name,
            clusterIp,
            place.port("Port", message.getPort()),
            place.optionalPort("NodePort", message.getNodePort()),
            place.ips("ExternalIPs", message.getExternalIPsList(), family),
            place.ips("LoadBalancerIPs", message.getLoadBalancerIPsList(), family),
            place.cidrs("SourceRanges", message.getSourceRangesList(), family),
            policy(message.getInternalTrafficToLocal()),
            policy(message.getExternalTrafficToLocal()),
            place.notNegative("AffinitySeconds", message.getAffinitySeconds()));
    ServicePort port = new ServicePort(frontend, selection(message, family, place));
    for (Traffic traffic : Traffic.values()) {
      if (port.verdict(traffic) == Verdict.FORWARD && port.endpoints(traffic).isEmpty()) {
        throw place.wrong("says to forward traffic, but no endpoint is chosen for it");
      }
    }
    return port;
  }

  private static Selection selection(
      dev.portolan.api.localv1.ServicePort message, IpFamily family, Place place)
      throws WireException {
    List<Endpoint> cluster = new ArrayList<>();
    List<Endpoint> local = new ArrayList<>();
    List<Endpoint> serving = new ArrayList<>();
    @Nullable Endpoint before = null;
    for (int i = 0; i < message.getEndpointsCount(); i++) {
      Choice choice = message.getEndpoints(i);
      Place here = place.element("Endpoints", i);
      Endpoint endpoint =
          new Endpoint(
              here.ip("IP", choice.getIP(), family),
              here.port("Port", choice.getPort()),
              choice.getNode());
      if (before != null && before.compareTo(endpoint) >= 0) {
        throw here.wrong(endpoint + " is out of order after " + before);
      }
      before = endpoint;
      if (choice.getCluster()) {
        cluster.add(endpoint);
      }
      if (choice.getLocal()) {
        local.add(endpoint);
      }
      if (choice.getServing()) {
        serving.add(endpoint);
      }
    }
    return new Selection(
        cluster,
        local,
        serving,
        verdict("Internal", message.getInternal(), place),
        verdict("External", message.getExternal(), place),
        verdict("ShortCircuit", message.getShortCircuit(), place));
  }

  static Verdict verdict(String field, dev.portolan.api.localv1.Verdict verdict, Place place)
      throws WireException {
    return switch (verdict) {
      case Forward -> Verdict.FORWARD;
      case Reject -> Verdict.REJECT;
      case Drop -> Verdict.DROP;
      case NoVerdict -> Verdict.NONE;
      case UNRECOGNIZED -> throw place.wrong(field, "a verdict that only a newer server knows");
    };
  }

  static TrafficPolicy policy(boolean local) {
    return local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
  }
}
