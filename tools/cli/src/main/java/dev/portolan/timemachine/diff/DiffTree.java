package dev.portolan.timemachine.diff;

import dev.portolan.compare.FieldChange;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.compare.decisions.AddressChange;
import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.EndpointChange;
import dev.portolan.compare.decisions.Gravity;
import dev.portolan.compare.decisions.NodeSet;
import dev.portolan.compare.decisions.PortDifference;
import dev.portolan.compare.decisions.Presence;
import dev.portolan.compare.decisions.PropertyChange;
import dev.portolan.compare.decisions.ServiceDifference;
import dev.portolan.compare.decisions.TrafficDifference;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.query.ResultTree;
import java.util.List;

/** What differs, for programs. */
final class DiffTree {
  private final DiffSides sides;
  private final ObjectDiff causes;

  private record Facts(
      DiffSide before,
      DiffSide after,
      boolean differs,
      int nodes,
      NodeSet nodesDiffering,
      List<String> nodesAdded,
      List<String> nodesRemoved,
      List<PropertyChange> nodeFacts,
      int servicesSame) {}

  private record Service(
      @Tree.Inline NamespacedName name,
      Presence presence,
      Gravity effect,
      NodeSet nodes,
      List<Cause> causes,
      List<PropertyChange> properties,
      List<Port> ports) {}

  private record Cause(@Tree.Inline ObjectRef object, String field, String before, String after) {
    static Cause of(FieldChange change) {
      return new Cause(change.object(), change.field(), change.before(), change.after());
    }
  }

  private record Port(
      String name,
      Protocol protocol,
      IpFamily family,
      Ip clusterIP,
      int port,
      Presence presence,
      Gravity effect,
      NodeSet nodes,
      List<AddressChange> addressesGained,
      List<AddressChange> addressesLost,
      List<PropertyChange> properties,
      List<TrafficDifference> traffic,
      List<EndpointChange> stopped,
      boolean endsFlows) {}

  DiffTree(DiffSides sides, ObjectDiff causes) {
    this.sides = sides;
    this.causes = causes;
  }

  /** The whole of it. */
  ResultTree of(ClusterComparison comparison) {
    return ResultTree.list(
        "DecisionDiff",
        new Facts(
            sides.before(),
            sides.after(),
            !comparison.isEmpty(),
            comparison.nodes().size(),
            comparison.differing(),
            comparison.nodesAdded(),
            comparison.nodesRemoved(),
            comparison.facts(),
            comparison.servicesSame()),
        "services",
        comparison.services().stream().map(this::service).toList(),
        service -> "service/" + service.name);
  }

  private Service service(ServiceDifference service) {
    return new Service(
        service.name(),
        service.presence(),
        service.gravity(),
        service.nodes(),
        causes.causes(service.name()).stream().map(Cause::of).toList(),
        service.properties(),
        service.ports().stream().map(this::port).toList());
  }

  private Port port(PortDifference port) {
    List<EndpointChange> stopped = sides.twoNodes() ? List.of() : port.stopped();
    return new Port(
        port.name().port(),
        port.name().protocol(),
        port.family(),
        port.clusterIp().address(),
        port.clusterIp().port(),
        port.presence(),
        port.gravity(),
        port.nodes(),
        port.addressesGained(),
        port.addressesLost(),
        port.properties(),
        port.traffic(),
        stopped,
        port.endsFlows() && !stopped.isEmpty());
  }
}
