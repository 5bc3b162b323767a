package dev.portolan.compare;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.text.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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

  /** One field; {@code parts} is empty for all but items of lists. */
  private record Value(String text, Map<String, String> parts) {}

  private final Map<String, Value> values = new LinkedHashMap<>();

  /** The fields of an object, or of one endpoint. */
  static ObjectFields of(Object object) {
    ObjectFields fields = new ObjectFields();
    Tree.fields(object).forEach(fields::add);
    return fields;
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

  private void add(String name, Object value) {
    switch (value) {
      case ServiceMetadata metadata -> {
        metadata.labels().forEach((key, text) -> put(name + ".labels[" + key + "]", quoted(text)));
        metadata
            .annotations()
            .forEach((key, text) -> put(name + ".annotations[" + key + "]", quoted(text)));
      }
      case EndpointSlice.Conditions conditions ->
          Tree.fields(conditions)
              .forEach((condition, holds) -> put(name + "." + condition, holds.toString()));
      case OptionalInt seconds -> {
        put("spec.sessionAffinity", seconds.isPresent() ? "ClientIP" : "None");
        put(name, text(seconds.orElse(0)));
      }
      case Optional<?> label -> label.ifPresent(text -> put(name, quoted(text.toString())));
      case List<?> list -> {
        List<String> texts = new ArrayList<>();
        for (Object item : list) {
          switch (item) {
            case Service.Port port -> addPort(name, port);
            case EndpointSlice.Port port -> put(unused(name, port.name()), portText(port));
            default -> texts.add(item.toString());
          }
        }
        put(name, String.join(", ", texts));
      }
      default -> put(name, text(value));
    }
  }

  private void addPort(String list, Service.Port port) {
    Map<String, String> parts = new LinkedHashMap<>();
    Tree.fields(port).forEach((part, value) -> parts.put(part, text(value)));
    String text =
        port.port()
            + "/"
            + port.protocol()
            + (port.nodePort() == 0 ? "" : ", nodePort " + port.nodePort());
    values.put(unused(list, port.name()), new Value(text, parts));
  }

  private static String text(Object value) {
    return switch (value) {
      case Boolean isSet -> isSet ? "set" : "";
      case Integer number -> number == 0 ? "" : number.toString();
      case Instant time -> time.equals(Instant.EPOCH) ? "" : time.toString();
      default -> value.toString();
    };
  }

  /** An empty label is a label. */
  private static String quoted(String value) {
    return value.isEmpty() ? "\"\"" : value;
  }

  /** A field without a value is absent. A source may keep a label beside all labels: it is one. */
  private void put(String name, String value) {
    if (!value.isEmpty()) {
      values.putIfAbsent(name, new Value(value, Map.of()));
    }
  }

  /** The name of an item of {@code list}: by its key, or by its place where that says nothing. */
  private String unused(String list, String key) {
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
