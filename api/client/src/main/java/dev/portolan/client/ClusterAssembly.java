package dev.portolan.client;

import static dev.portolan.client.NodeAssembly.parse;

import dev.portolan.api.ClusterMessages;
import dev.portolan.api.Paths;
import dev.portolan.api.Paths.ObjectPath;
import dev.portolan.api.WireException;
import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceCIDR;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.Slice;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Value;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.collection.PersistentMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A cluster as it comes in, piece by piece, until it is whole.
 *
 * <p>Portolan sends a slice as one value, KPNG its endpoints one by one; they are kept, and put
 * together again when one of them changed.
 */
final class ClusterAssembly {
  private PersistentMap<NamespacedName, Service> services;
  private PersistentMap<NamespacedName, EndpointSlice> slices;
  private PersistentMap<String, Node> nodes;
  private PersistentMap<String, ServiceCidr> serviceCidrs;
  private final Map<NamespacedName, Map<String, EndpointInfo>> infos = new HashMap<>();
  private final Map<NamespacedName, List<EndpointSlice>> made = new HashMap<>();
  private final Set<NamespacedName> touched = new TreeSet<>();

  /** Starts from a cluster that is there already. */
  ClusterAssembly(ClusterImage cluster) {
    this.services = cluster.services();
    this.slices = cluster.slices();
    this.nodes = cluster.nodes();
    this.serviceCidrs = cluster.serviceCidrs();
  }

  /** Goes on from an equal cluster, which shares more with the state before. */
  void continueFrom(ClusterImage cluster) {
    services = cluster.services();
    slices = cluster.slices();
    nodes = cluster.nodes();
    serviceCidrs = cluster.serviceCidrs();
  }

  void set(Value value) throws WireException {
    switch (value.getRef().getSet()) {
      case GlobalServiceInfos -> {
        Service service = ClusterMessages.service(parse(ServiceInfo.parser(), value));
        services = services.with(service.name(), service);
      }
      case GlobalSlices -> {
        EndpointSlice slice = ClusterMessages.slice(parse(Slice.parser(), value));
        slices = slices.with(slice.name(), slice);
      }
      case GlobalNodeInfos -> {
        Node node = ClusterMessages.node(parse(NodeInfo.parser(), value));
        nodes = nodes.with(node.name(), node);
      }
      case GlobalServiceCIDRs -> {
        ServiceCidr cidr = ClusterMessages.serviceCidr(parse(ServiceCIDR.parser(), value));
        serviceCidrs = serviceCidrs.with(cidr.name(), cidr);
      }
      case GlobalEndpointInfos -> {
        ObjectPath path = Paths.object(value.getRef().getPath());
        if (isByService(path)) {
          infos
              .computeIfAbsent(source(path), key -> new TreeMap<>())
              .put(value.getRef().getPath(), parse(EndpointInfo.parser(), value));
          touched.add(source(path));
        }
      }
      default -> {}
    }
  }

  void delete(Ref ref) throws WireException {
    switch (ref.getSet()) {
      case GlobalServiceInfos -> services = services.without(Paths.object(ref.getPath()).name());
      case GlobalSlices -> slices = slices.without(Paths.object(ref.getPath()).name());
      case GlobalNodeInfos -> nodes = nodes.without(Paths.object(ref.getPath()).name().name());
      case GlobalServiceCIDRs ->
          serviceCidrs = serviceCidrs.without(Paths.object(ref.getPath()).name().name());
      case GlobalEndpointInfos -> {
        ObjectPath path = Paths.object(ref.getPath());
        if (isByService(path)) {
          infos.getOrDefault(source(path), new TreeMap<>()).remove(ref.getPath());
          touched.add(source(path));
        }
      }
      default -> {}
    }
  }

  /** The cluster, now that everything is there. */
  ClusterImage complete() throws WireException {
    for (NamespacedName source : touched) {
      for (EndpointSlice old : made.getOrDefault(source, List.of())) {
        slices = slices.without(old.name());
      }
      List<EndpointSlice> now =
          ClusterMessages.slices(infos.getOrDefault(source, Map.of()).values());
      for (EndpointSlice slice : now) {
        slices = slices.with(slice.name(), slice);
      }
      if (now.isEmpty()) {
        made.remove(source);
        infos.remove(source);
      } else {
        made.put(source, now);
      }
    }
    touched.clear();
    return new ClusterImage(services, slices, nodes, serviceCidrs);
  }

  /** KPNG sends each endpoint twice; the copies by source name no service. */
  private static boolean isByService(ObjectPath path) {
    return !path.name().name().isEmpty();
  }

  private static NamespacedName source(ObjectPath path) {
    return new NamespacedName(path.name().namespace(), path.source());
  }
}
