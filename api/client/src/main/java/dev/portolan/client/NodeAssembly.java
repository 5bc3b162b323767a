package dev.portolan.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.portolan.api.ClusterMessages;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.Paths;
import dev.portolan.api.WireException;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Value;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.core.node.NodeService;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A node's state as it comes in, piece by piece, until it is whole.
 *
 * <p>A service from Portolan brings its decision. One from KPNG is kept as it came, beside its
 * endpoints, and read again when either changed.
 *
 * <p>A state shares with the one before whatever is equal, also when everything is sent again. So
 * what differs between two states is found without looking at the rest, and an equal state has the
 * very same services.
 */
final class NodeAssembly {
  private final String node;
  private NodeFacts facts;
  private PersistentMap<NamespacedName, NodeService> services;

  /** The services of the last whole state. */
  private PersistentMap<NamespacedName, NodeService> held;

  /** What was set or deleted since the last whole state. */
  private final Set<NamespacedName> changed = new HashSet<>();

  /** What was set since everything was void; null where it was not. */
  private @Nullable Set<NamespacedName> present;

  private final Map<NamespacedName, Service> undecided = new HashMap<>();
  private final Map<NamespacedName, Map<String, Endpoint>> endpoints = new HashMap<>();
  private final Set<NamespacedName> touched = new TreeSet<>();

  /** What is written on services, which comes after them, and again only where it differs. */
  private final Map<NamespacedName, ServiceMetadata> written = new HashMap<>();

  /** Starts from a state that is there already. */
  NodeAssembly(String node, NodeFacts facts, PersistentMap<NamespacedName, NodeService> services) {
    this.node = node;
    this.facts = facts;
    this.services = services;
    this.held = services;
  }

  void reset() {
    facts = unsaid(node);
    services = held;
    present = new HashSet<>();
    undecided.clear();
    endpoints.clear();
    touched.clear();
    written.clear();
  }

  void set(Value value) throws WireException {
    String path = value.getRef().getPath();
    switch (value.getRef().getSet()) {
      case NodeFactsSet ->
          facts = NodeMessages.facts(parse(dev.portolan.api.localv1.NodeFacts.parser(), value));
      case ServicesSet -> setService(Paths.service(path), parse(Service.parser(), value));
      case EndpointsSet -> {
        NamespacedName service = Paths.service(path);
        endpoints
            .computeIfAbsent(service, key -> new TreeMap<>())
            .put(path, parse(Endpoint.parser(), value));
        touched.add(service);
      }
      case ServiceMetadataSet ->
          write(
              Paths.service(path),
              ClusterMessages.metadata(
                  parse(dev.portolan.api.localv1.ServiceMetadata.parser(), value)));
      default -> {}
    }
  }

  private void write(NamespacedName name, ServiceMetadata metadata) {
    written.put(name, metadata);
    NodeService service = services.get(name);
    if (service != null) {
      services = services.with(name, service.with(metadata));
      changed.add(name);
    }
  }

  private void setService(NamespacedName name, Service message) throws WireException {
    if (!message.hasDecision()) {
      undecided.put(name, message);
      touched.add(name);
      return;
    }
    undecided.remove(name);
    put(name, NodeMessages.service(message, Set.of(), node));
  }

  private void put(NamespacedName name, NodeService service) throws WireException {
    if (!service.name().equals(name)) {
      throw new WireException("service " + name, "its value is of service " + service.name());
    }
    services = services.with(name, service.with(written.getOrDefault(name, ServiceMetadata.NONE)));
    changed.add(name);
    if (present != null) {
      present.add(name);
    }
  }

  void delete(Ref ref) throws WireException {
    switch (ref.getSet()) {
      case NodeFactsSet -> facts = unsaid(node);
      case ServicesSet -> {
        NamespacedName name = Paths.service(ref.getPath());
        undecided.remove(name);
        services = services.without(name);
        changed.add(name);
        if (present != null) {
          present.remove(name);
        }
      }
      case EndpointsSet -> {
        NamespacedName service = Paths.service(ref.getPath());
        Map<String, Endpoint> kept = endpoints.get(service);
        if (kept != null) {
          kept.remove(ref.getPath());
          if (kept.isEmpty()) {
            endpoints.remove(service);
          }
          touched.add(service);
        }
      }
      case ServiceMetadataSet -> {
        NamespacedName name = Paths.service(ref.getPath());
        write(name, ServiceMetadata.NONE);
        written.remove(name);
      }
      default -> {}
    }
  }

  /** Makes a whole state of it, now that everything is there. */
  void complete() throws WireException {
    for (NamespacedName name : touched) {
      Service message = undecided.get(name);
      if (message != null) {
        Collection<Endpoint> chosen = endpoints.getOrDefault(name, Map.of()).values();
        put(name, NodeMessages.service(message, chosen, node));
      }
    }
    touched.clear();
    if (present != null) {
      removeAllBut(present);
      present = null;
    }
    if (changed.stream().allMatch(name -> Objects.equals(held.get(name), services.get(name)))) {
      services = held;
    }
    held = services;
    changed.clear();
  }

  private void removeAllBut(Set<NamespacedName> wanted) {
    for (Map.Entry<NamespacedName, NodeService> entry : services) {
      if (!wanted.contains(entry.getKey())) {
        services = services.without(entry.getKey());
        changed.add(entry.getKey());
      }
    }
  }

  NodeFacts facts() {
    return facts;
  }

  PersistentMap<NamespacedName, NodeService> services() {
    return services;
  }

  /**
   * The facts of a node of which a server says nothing, as KPNG does: nodePorts are then served on
   * every address, and the node stays.
   */
  private static NodeFacts unsaid(String node) {
    NodeFacts unknown = NodeFacts.unknown(node);
    return new NodeFacts(
        node,
        false,
        unknown.families(),
        List.of(),
        List.of(),
        "",
        List.of(),
        NodePortAddresses.ALL,
        NodePortAddresses.ALL,
        unknown.detectorV4(),
        unknown.detectorV6(),
        List.of(),
        true,
        false);
  }

  /** The message that {@code value} carries. */
  static <T> T parse(Parser<T> parser, Value value) throws WireException {
    ByteString bytes = value.getBytes();
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new WireException(
          value.getRef().getSet() + " " + value.getRef().getPath(),
          "its bytes are not a valid message");
    }
  }
}
