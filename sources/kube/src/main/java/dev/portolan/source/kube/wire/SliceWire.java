package dev.portolan.source.kube.wire;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.source.objects.ObjectWords;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes one EndpointSlice. */
final class SliceWire {
  private final WireReader in;
  private final List<EndpointSlice.Port> ports = new ArrayList<>(2);
  private final List<Member> members = new ArrayList<>();
  private @Nullable AddressType addressType;
  private List<String> lastHints = List.of();

  private SliceWire(WireReader in) {
    this.in = in;
  }

  /** Decodes the EndpointSlice at {@code in}. */
  static EndpointSlice decode(WireReader in, WireMeta meta) throws DecodeException {
    SliceWire slice = new SliceWire(in);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> meta.read(in);
        case 2 -> slice.member();
        case 3 -> slice.port();
        case 4 ->
            slice.addressType =
                in.choice(ObjectWords.ADDRESS_TYPES, AddressType.IPV4, "addressType");
        default -> {}
      }
    }
    if (slice.addressType == null) {
      in.reject("addressType: missing");
    }
    return new EndpointSlice(
        meta.namespacedName(),
        meta.label(EndpointSlice.SERVICE_NAME_LABEL),
        slice.addressType == null ? AddressType.FQDN : slice.addressType,
        slice.ports,
        slice.members,
        meta.hasLabel(Service.HEADLESS_LABEL),
        meta.time(EndpointSlice.TRIGGER_TIME_ANNOTATION));
  }

  private void port() throws DecodeException {
    String name = "";
    Protocol protocol = Protocol.TCP;
    int port = 0;
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> name = in.name();
        case 2 -> protocol = in.choice(ObjectWords.PROTOCOLS, Protocol.TCP, "ports.protocol");
        case 3 -> port = in.number();
        default -> {}
      }
    }
    in.leave(outer);
    ports.add(new EndpointSlice.Port(name, protocol, port));
  }

  private void member() throws DecodeException {
    List<String> addresses = new ArrayList<>(1);
    List<String> zones = List.of();
    List<String> nodes = List.of();
    Conditions conditions = Conditions.READY;
    String node = "";
    String zone = "";
    String target = "";
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> addresses.add(in.text());
        case 2 -> conditions = conditions();
        case 4 -> target = target();
        case 6 -> node = in.name();
        case 7 -> zone = in.name();
        case 8 -> {
          int hints = in.enter();
          while (in.next()) {
            switch (in.field()) {
              case 1 -> zones = hint(zones);
              case 2 -> nodes = hint(nodes);
              default -> {}
            }
          }
          in.leave(hints);
        }
        default -> {}
      }
    }
    in.leave(outer);
    members.add(new Member(addresses, conditions, node, zone, known(zones), nodes, target));
  }

  /** Neighbouring endpoints mostly have the same hints, and share them. */
  private List<String> known(List<String> hints) {
    if (!hints.equals(lastHints)) {
      lastHints = List.copyOf(hints);
    }
    return lastHints;
  }

  private List<String> hint(List<String> before) throws DecodeException {
    String name = "";
    int outer = in.enter();
    while (in.next()) {
      if (in.field() == 1) {
        name = in.name();
      }
    }
    in.leave(outer);
    List<String> hints = before.isEmpty() ? new ArrayList<>(1) : before;
    hints.add(name);
    return hints;
  }

  private Conditions conditions() throws DecodeException {
    Boolean ready = null;
    Boolean serving = null;
    Boolean terminating = null;
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> ready = in.truth();
        case 2 -> serving = in.truth();
        case 3 -> terminating = in.truth();
        default -> {}
      }
    }
    in.leave(outer);
    Conditions conditions = Conditions.of(ready, serving, terminating);
    return conditions.equals(Conditions.READY) ? Conditions.READY : conditions;
  }

  private String target() throws DecodeException {
    String kind = "";
    String namespace = "";
    String name = "";
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> kind = in.name();
        case 2 -> namespace = in.name();
        case 3 -> name = in.text();
        default -> {}
      }
    }
    in.leave(outer);
    if (name.isEmpty()) {
      return "";
    }
    String qualified = namespace.isEmpty() ? name : namespace + "/" + name;
    return kind.isEmpty() ? qualified : kind + " " + qualified;
  }
}
