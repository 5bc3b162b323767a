package dev.portolan.api;

import dev.portolan.api.localnetv1.Endpoint;
import dev.portolan.api.localnetv1.EndpointConditions;
import dev.portolan.api.localnetv1.NextFilter;
import dev.portolan.api.localnetv1.NextItem;
import dev.portolan.api.localnetv1.ServiceEndpoints;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Traffic;

/** The items of the long poll. */
public final class NextItems {
  private NextItems() {}

  /** The first item: what to ask for next, and the node's facts. */
  public static NextItem first(NextFilter next, NodeFacts facts) {
    return NextItem.newBuilder().setNext(next).setFacts(NodeMessages.facts(facts)).build();
  }

  /**
   * A service as {@code node} sees it, with the endpoints that have all of {@code required}.
   *
   * <p>Only endpoints that serve are known here, and those count as ready.
   */
  public static NextItem service(NodeService service, String node, EndpointConditions required) {
    ServiceEndpoints.Builder message =
        ServiceEndpoints.newBuilder()
            .setNamespace(service.name().namespace())
            .setName(service.name().name())
            .setType(service.type().toString())
            .setIPs(KpngFields.ips(service))
            .addAllPorts(KpngFields.ports(service))
            .setExternalTrafficToLocal(KpngFields.toLocal(service, Traffic.EXTERNAL))
            .setDecision(Decisions.write(service));
    for (KpngEndpoints.Keyed keyed : KpngEndpoints.withUnchosen(service)) {
      Endpoint endpoint = endpoint(keyed.message(), node);
      if (has(endpoint.getConditions(), required)) {
        message.addEndpoints(endpoint);
      }
    }
    return NextItem.newBuilder().setEndpoints(message).build();
  }

  private static Endpoint endpoint(dev.portolan.api.localv1.Endpoint from, String node) {
    return Endpoint.newBuilder()
        .setConditions(
            EndpointConditions.newBuilder()
                .setReady(true)
                .setSelected(from.getScopes().getInternal() || from.getScopes().getExternal())
                .setLocal(KpngEndpoints.isLocal(from, node)))
        .setIPs(from.getIPs())
        .addAllPorts(from.getPortOverridesList())
        .build();
  }

  private static boolean has(EndpointConditions actual, EndpointConditions required) {
    return (actual.getReady() || !required.getReady())
        && (actual.getSelected() || !required.getSelected())
        && (actual.getLocal() || !required.getLocal());
  }
}
