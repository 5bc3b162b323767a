package dev.portolan.timemachine.diff;

import dev.portolan.compare.FieldChange;
import dev.portolan.compare.ObjectDiff;
import dev.portolan.compare.decisions.AddressChange;
import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.EndpointChange;
import dev.portolan.compare.decisions.PortDifference;
import dev.portolan.compare.decisions.PropertyChange;
import dev.portolan.compare.decisions.ServiceDifference;
import dev.portolan.compare.decisions.TrafficDifference;
import dev.portolan.compare.decisions.VerdictChange;
import dev.portolan.core.node.NodeTree;
import dev.portolan.terminal.query.ResultTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What differs, for programs. */
final class DiffTree {
  private final DiffSides sides;
  private final ObjectDiff causes;

  DiffTree(DiffSides sides, ObjectDiff causes) {
    this.sides = sides;
    this.causes = causes;
  }

  /** The whole of it. */
  ResultTree of(ClusterComparison comparison) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("before", side(sides.before()));
    facts.put("after", side(sides.after()));
    facts.put("differs", !comparison.isEmpty());
    facts.put("nodes", comparison.nodes().size());
    facts.put("nodesDiffering", NodesPhrase.tree(comparison.differing()));
    facts.put("nodesAdded", comparison.nodesAdded());
    facts.put("nodesRemoved", comparison.nodesRemoved());
    facts.put("nodeFacts", comparison.facts().stream().map(DiffTree::property).toList());
    facts.put("servicesSame", comparison.servicesSame());
    return ResultTree.list(
        "DecisionDiff",
        facts,
        "services",
        comparison.services().stream()
            .map(service -> new ResultTree.Item("service/" + service.name(), service(service)))
            .toList());
  }

  private static Map<String, Object> side(DiffSide side) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("source", side.source());
    tree.put("config", side.config());
    return tree;
  }

  private Map<String, Object> service(ServiceDifference service) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", service.name().namespace());
    tree.put("name", service.name().name());
    tree.put("presence", service.presence().toString());
    tree.put("effect", service.gravity().toString());
    tree.put("nodes", NodesPhrase.tree(service.nodes()));
    tree.put("causes", causes.causes(service.name()).stream().map(DiffTree::cause).toList());
    tree.put("properties", service.properties().stream().map(DiffTree::property).toList());
    tree.put("ports", service.ports().stream().map(this::port).toList());
    return tree;
  }

  private static Map<String, Object> cause(FieldChange change) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", change.object().kind());
    tree.put("name", change.object().name());
    tree.put("field", change.field());
    tree.put("before", change.before());
    tree.put("after", change.after());
    return tree;
  }

  private static Map<String, Object> property(PropertyChange change) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("property", change.property());
    tree.put("before", change.before());
    tree.put("after", change.after());
    tree.put("nodes", NodesPhrase.tree(change.nodes()));
    return tree;
  }

  private Map<String, Object> port(PortDifference port) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", port.name().port());
    tree.put("protocol", port.name().protocol().toString());
    tree.put("family", port.family().toString());
    tree.put("clusterIP", port.clusterIp().address().toString());
    tree.put("port", port.clusterIp().port());
    tree.put("presence", port.presence().toString());
    tree.put("effect", port.gravity().toString());
    tree.put("nodes", NodesPhrase.tree(port.nodes()));
    tree.put("addressesGained", port.addressesGained().stream().map(DiffTree::address).toList());
    tree.put("addressesLost", port.addressesLost().stream().map(DiffTree::address).toList());
    tree.put("properties", port.properties().stream().map(DiffTree::property).toList());
    tree.put("traffic", port.traffic().stream().map(DiffTree::traffic).toList());
    List<EndpointChange> stopped = sides.twoNodes() ? List.of() : port.stopped();
    tree.put("stopped", stopped.stream().map(DiffTree::endpoint).toList());
    tree.put("endsFlows", port.endsFlows() && !stopped.isEmpty());
    return tree;
  }

  private static Map<String, Object> address(AddressChange change) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", change.address().kind().toString());
    tree.put("address", change.address().isNodePort() ? "" : change.address().address().toString());
    tree.put("port", change.address().port());
    tree.put("nodes", NodesPhrase.tree(change.nodes()));
    return tree;
  }

  private static Map<String, Object> traffic(TrafficDifference difference) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("traffic", NodesPhrase.field(difference.traffic()));
    tree.put("endpointsBefore", difference.endpointsBefore());
    tree.put("endpointsAfter", difference.endpointsAfter());
    tree.put("verdicts", difference.verdicts().stream().map(DiffTree::verdict).toList());
    tree.put("gained", difference.gained().stream().map(DiffTree::endpoint).toList());
    tree.put("lost", difference.lost().stream().map(DiffTree::endpoint).toList());
    return tree;
  }

  private static Map<String, Object> verdict(VerdictChange change) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("before", change.before().toString());
    tree.put("after", change.after().toString());
    tree.put("endpointsBefore", span(change.endpointsBefore()));
    tree.put("endpointsAfter", span(change.endpointsAfter()));
    tree.put("nodes", NodesPhrase.tree(change.nodes()));
    return tree;
  }

  private static List<Integer> span(VerdictChange.Span span) {
    return List.of(span.least(), span.most());
  }

  private static Map<String, Object> endpoint(EndpointChange change) {
    Map<String, Object> tree = new LinkedHashMap<>(NodeTree.endpoint(change.endpoint()));
    tree.put("nodes", NodesPhrase.tree(change.nodes()));
    return tree;
  }
}
