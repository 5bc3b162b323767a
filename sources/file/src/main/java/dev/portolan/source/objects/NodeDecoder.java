package dev.portolan.source.objects;

import dev.portolan.core.cluster.Node;
import dev.portolan.text.Field;
import java.util.List;
import java.util.stream.Stream;

/** Reads a Node. */
final class NodeDecoder {
  private NodeDecoder() {}

  /** The Node in {@code object}. */
  static Node decode(Field object) {
    Metadata metadata = new Metadata(object);
    Field spec = object.at("spec");
    List<Field> addresses = object.at("status").at("addresses").items();
    return new Node(
        metadata.name(),
        ofType("InternalIP", addresses),
        ofType("ExternalIP", addresses),
        metadata.label(Node.ZONE_LABEL),
        podCidrs(spec),
        metadata.isLeaving() || hasAutoscalerTaint(spec.at("taints")));
  }

  private static List<String> ofType(String type, List<Field> addresses) {
    return addresses.stream()
        .filter(address -> address.at("type").text("").equals(type))
        .map(address -> address.at("address").text())
        .toList();
  }

  private static List<String> podCidrs(Field spec) {
    List<String> all = spec.at("podCIDRs").texts();
    return all.isEmpty()
        ? Stream.of(spec.at("podCIDR").text("")).filter(cidr -> !cidr.isEmpty()).toList()
        : all;
  }

  private static boolean hasAutoscalerTaint(Field taints) {
    return taints.items().stream()
        .anyMatch(taint -> taint.at("key").text("").equals(Node.AUTOSCALER_TAINT));
  }
}
