package dev.portolan.client;

import dev.portolan.client.AddressListener.Treatment;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.Map;
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

  /** An address of one service port. */
  private record Key(ServicePortName port, ServiceAddress address) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byPort = port.compareTo(other.port);
      return byPort != 0 ? byPort : address.compareTo(other.address);
    }
  }

  @Override
  public void sync(NodeImage image, NodeDelta delta) {
    NodeDelta difference = NodeDelta.between(told, image);
    Map<Key, Treatment> before = new TreeMap<>();
    Map<Key, Treatment> after = new TreeMap<>();
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
    Map<Key, Treatment> before = new TreeMap<>();
    told.services().forEach(service -> before.putAll(addresses(service)));
    tell(before, Map.of());
    told = NodeImage.unsynced("");
  }

  private void tell(Map<Key, Treatment> before, Map<Key, Treatment> after) {
    for (Key key : before.keySet()) {
      if (!after.containsKey(key)) {
        listener.removed(key.port, key.address);
      }
    }
    after.forEach((key, treatment) -> {
      Treatment old = before.get(key);
      if (old == null) {
        listener.added(key.port, key.address, treatment);
      } else if (!old.equals(treatment)) {
        listener.changed(key.port, key.address, old, treatment);
      }
    });
    listener.sync();
  }

  /** Every address of {@code service}. */
  private static Map<Key, Treatment> addresses(@Nullable NodeService service) {
    Map<Key, Treatment> addresses = new TreeMap<>();
    if (service != null) {
      for (ServicePort port : service.ports()) {
        for (ServiceAddress address : port.addresses()) {
          addresses.put(new Key(port.name(), address), treatment(port, address));
        }
      }
    }
    return addresses;
  }

  private static Treatment treatment(ServicePort port, ServiceAddress address) {
    return new Treatment(
        port.route(address.traffic()).pool(), port.affinitySeconds(), port.sourceRanges(address));
  }
}
