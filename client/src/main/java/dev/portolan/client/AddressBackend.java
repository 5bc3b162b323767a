package dev.portolan.client;

import dev.portolan.client.AddressListener.Treatment;
import dev.portolan.client.ServiceAddress.Kind;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServicePort;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns states into the calls of an {@link AddressListener}; no call is made twice. */
public final class AddressBackend implements Backend {
  private final AddressListener listener;
  private NodeImage told = NodeImage.unsynced("");

  /** Calls {@code listener}. */
  public AddressBackend(AddressListener listener) {
    this.listener = listener;
  }

  @Override
  public void sync(NodeImage image, NodeDelta delta) {
    NodeDelta difference = NodeDelta.between(told, image);
    Map<ServiceAddress, Treatment> before = new TreeMap<>();
    Map<ServiceAddress, Treatment> after = new TreeMap<>();
    for (NamespacedName name : difference.removed()) {
      before.putAll(addresses(told.service(name)));
    }
    for (NodeService service : difference.set()) {
      before.putAll(addresses(told.service(service.name())));
      after.putAll(addresses(service));
    }
    boolean first = !told.isSynced();
    if (!before.equals(after) || first) {
      tell(before, after);
    }
    told = image;
  }

  /** Everything so far is gone. */
  @Override
  public void cleanup() {
    Map<ServiceAddress, Treatment> before = new TreeMap<>();
    told.services().forEach(service -> before.putAll(addresses(service)));
    tell(before, Map.of());
    told = NodeImage.unsynced("");
  }

  private void tell(Map<ServiceAddress, Treatment> before, Map<ServiceAddress, Treatment> after) {
    for (ServiceAddress address : before.keySet()) {
      if (!after.containsKey(address)) {
        listener.removed(address);
      }
    }
    after.forEach((address, treatment) -> {
      Treatment old = before.get(address);
      if (old == null) {
        listener.added(address, treatment);
      } else if (!old.equals(treatment)) {
        listener.changed(address, old, treatment);
      }
    });
    listener.sync();
  }

  /** Every address of {@code service}. */
  private static Map<ServiceAddress, Treatment> addresses(@Nullable NodeService service) {
    Map<ServiceAddress, Treatment> addresses = new TreeMap<>();
    if (service != null) {
      for (ServicePort port : service.ports()) {
        collect(port.frontend(), addresses);
      }
    }
    return addresses;
  }

  private static void collect(Frontend frontend, Map<ServiceAddress, Treatment> addresses) {
    TrafficPolicy external = frontend.externalPolicy();
    addresses.put(
        address(frontend, Kind.CLUSTER_IP, frontend.clusterIp()),
        treatment(frontend, frontend.internalPolicy(), List.of()));
    for (Ip ip : frontend.externalIps()) {
      addresses.put(
          address(frontend, Kind.EXTERNAL_IP, ip), treatment(frontend, external, List.of()));
    }
    for (Ip ip : frontend.loadBalancerIps()) {
      addresses.put(
          address(frontend, Kind.LOAD_BALANCER_IP, ip),
          treatment(frontend, external, frontend.sourceRanges()));
    }
    if (frontend.nodePort() != 0) {
      ServiceAddress nodePort =
          new ServiceAddress(
              frontend.name(),
              Kind.NODE_PORT,
              frontend.family(),
              Optional.empty(),
              frontend.nodePort());
      addresses.put(nodePort, treatment(frontend, external, List.of()));
    }
  }

  private static ServiceAddress address(Frontend frontend, Kind kind, Ip ip) {
    return new ServiceAddress(
        frontend.name(), kind, frontend.family(), Optional.of(ip), frontend.port());
  }

  private static Treatment treatment(
      Frontend frontend, TrafficPolicy policy, List<Cidr> sourceRanges) {
    return new Treatment(policy, frontend.affinitySeconds(), sourceRanges);
  }
}
