package dev.portolan.source.objects;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.text.Field;
import java.util.ArrayList;
import java.util.List;

/** Reads an EndpointSlice, with the defaults that the API server would have filled in. */
final class SliceDecoder {
  private SliceDecoder() {}

  /** The EndpointSlice in {@code object}. */
  static EndpointSlice decode(Field object, Warnings warnings) {
    Metadata metadata = new Metadata(object);
    return new EndpointSlice(
        metadata.namespacedName(),
        metadata.label(EndpointSlice.SERVICE_NAME_LABEL),
        object.at("addressType").choice(ObjectWords.ADDRESS_TYPES),
        ports(object.at("ports")),
        members(object.at("endpoints")),
        metadata.hasLabel(Service.HEADLESS_LABEL),
        metadata.time(EndpointSlice.TRIGGER_TIME_ANNOTATION, warnings));
  }

  private static List<EndpointSlice.Port> ports(Field field) {
    List<EndpointSlice.Port> ports = new ArrayList<>();
    for (Field port : field.items()) {
      ports.add(
          new EndpointSlice.Port(
              port.at("name").text(""),
              port.at("protocol").choice(ObjectWords.PROTOCOLS, Protocol.TCP),
              port.at("port").number(0)));
    }
    return ports;
  }

  private static List<EndpointSlice.Member> members(Field field) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (Field endpoint : field.items()) {
      Field conditions = endpoint.at("conditions");
      Field hints = endpoint.at("hints");
      members.add(
          new EndpointSlice.Member(
              endpoint.at("addresses").texts(),
              Conditions.of(
                  conditions.at("ready").truth(),
                  conditions.at("serving").truth(),
                  conditions.at("terminating").truth()),
              endpoint.at("nodeName").text(""),
              endpoint.at("zone").text(""),
              names(hints.at("forZones")),
              names(hints.at("forNodes")),
              target(endpoint.at("targetRef"))));
    }
    return members;
  }

  private static List<String> names(Field hints) {
    return hints.items().stream().map(hint -> hint.at("name").text()).toList();
  }

  private static String target(Field reference) {
    String kind = reference.at("kind").text("");
    String namespace = reference.at("namespace").text("");
    String name = reference.at("name").text("");
    if (name.isEmpty()) {
      return "";
    }
    String qualified = namespace.isEmpty() ? name : namespace + "/" + name;
    return kind.isEmpty() ? qualified : kind + " " + qualified;
  }
}
