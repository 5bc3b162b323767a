package dev.portolan.compare;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.ServiceCidr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The fields of an object as text, under the names that the Kubernetes API has for them.
 *
 * <p>An item of a list with a key of its own, such as a port, has parts. Where both sides have the
 * item, its parts are compared; where only one has it, the item counts as a whole.
 */
final class ObjectFields {
  static final String ZONE = "metadata.labels[" + Node.ZONE_LABEL + "]";
  private static final String LEAVING =
      "metadata.deletionTimestamp or taint " + Node.AUTOSCALER_TAINT;

  /** One field; {@code parts} is empty for all but items of lists. */
  private record Value(String text, Map<String, String> parts) {}

  private final Map<String, Value> values = new LinkedHashMap<>();

  /** The fields of a Node. */
  static ObjectFields of(Node node) {
    return new ObjectFields()
        .add("status.addresses[type=InternalIP]", node.internalIps())
        .add("status.addresses[type=ExternalIP]", node.externalIps())
        .add("spec.podCIDRs", node.podCidrs())
        .add(ZONE, node.zone())
        .add(LEAVING, node.leaving() ? "set" : "");
  }

  /** The fields of a ServiceCIDR. */
  static ObjectFields of(ServiceCidr cidr) {
    return new ObjectFields().add("spec.cidrs", cidr.cidrs());
  }

  /** The fields that a slice's endpoints share. */
  static ObjectFields of(EndpointSlice slice) {
    ObjectFields fields =
        new ObjectFields()
            .add("metadata.labels[" + EndpointSlice.SERVICE_NAME_LABEL + "]", slice.serviceName())
            .add(ServiceFields.HEADLESS, slice.labelledHeadless() ? "set" : "")
            .add("addressType", slice.addressType().toString());
    for (EndpointSlice.Port port : slice.ports()) {
      fields.add(fields.unused("ports", port.name()), portText(port));
    }
    return fields;
  }

  /** The fields of one endpoint, without its addresses. */
  static ObjectFields of(EndpointSlice.Member member) {
    return new ObjectFields()
        .add("conditions.ready", String.valueOf(member.conditions().ready()))
        .add("conditions.serving", String.valueOf(member.conditions().serving()))
        .add("conditions.terminating", String.valueOf(member.conditions().terminating()))
        .add("nodeName", member.node())
        .add("zone", member.zone())
        .add("targetRef", member.target())
        .add("hints.forZones", member.zoneHints())
        .add("hints.forNodes", member.nodeHints());
  }

  /** The ports of a slice in one line, such as {@code http 8080/TCP}. */
  static String portsText(EndpointSlice slice) {
    return slice.ports().stream()
        .map(port -> (port.name() + " " + portText(port)).strip())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String portText(EndpointSlice.Port port) {
    return (port.port() == 0 ? "any" : port.port()) + "/" + port.protocol();
  }

  /** Adds a field; one without a value is absent, and of two with one name the first counts. */
  ObjectFields add(String name, String value) {
    if (!value.isEmpty()) {
      values.putIfAbsent(name, new Value(value, Map.of()));
    }
    return this;
  }

  /** Adds a list, in one line. */
  ObjectFields add(String name, List<String> value) {
    return add(name, String.join(", ", value));
  }

  /** Adds an item with parts. */
  ObjectFields add(String name, String text, Map<String, String> parts) {
    values.put(name, new Value(text, parts));
    return this;
  }

  /** The name of an item of {@code list}: by its key, or by its place where that says nothing. */
  String unused(String list, String key) {
    String name = list + "[" + key + "]";
    for (int place = 0; key.isEmpty() || values.containsKey(name); place++) {
      name = list + "[" + place + "]";
      if (!values.containsKey(name)) {
        return name;
      }
    }
    return name;
  }

  /** What differs from here to {@code after}; each name follows {@code prefix}. */
  List<FieldChange> to(ObjectFields after, ObjectRef object, String prefix) {
    Set<String> names = new LinkedHashSet<>(values.keySet());
    names.addAll(after.values.keySet());
    List<FieldChange> changes = new ArrayList<>();
    for (String name : names) {
      Value old = values.getOrDefault(name, new Value("", Map.of()));
      Value now = after.values.getOrDefault(name, new Value("", Map.of()));
      if (old.parts.isEmpty() || now.parts.isEmpty()) {
        compare(object, prefix + name, old.text, now.text, changes);
        continue;
      }
      Set<String> parts = new LinkedHashSet<>(old.parts.keySet());
      parts.addAll(now.parts.keySet());
      for (String part : parts) {
        compare(
            object,
            prefix + name + "." + part,
            old.parts.getOrDefault(part, ""),
            now.parts.getOrDefault(part, ""),
            changes);
      }
    }
    return changes;
  }

  private static void compare(
      ObjectRef object, String name, String old, String now, List<FieldChange> changes) {
    if (!old.equals(now)) {
      changes.add(new FieldChange(object, name, old, now));
    }
  }
}
