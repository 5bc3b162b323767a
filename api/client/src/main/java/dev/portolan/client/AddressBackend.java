package dev.portolan.client;

import dev.portolan.client.AddressListener.Treatment;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServiceChange;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns changes into the calls of an {@link AddressListener}; no call is made twice. */
public final class AddressBackend implements Backend {
  private final AddressListener listener;

  /** Calls {@code listener}. */
  public AddressBackend(AddressListener listener) {
    this.listener = listener;
  }

  AddressListener listener() {
    return listener;
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
  public void sync(NodeChange change) {
    Map<Key, Treatment> before = new TreeMap<>();
    Map<Key, Treatment> after = new TreeMap<>();
    for (ServiceChange service : change.services()) {
      before.putAll(addresses(service.before()));
      after.putAll(addresses(service.after()));
    }
    if (!before.equals(after) || !change.before().isSynced()) {
      tell(before, after);
    }
  }

  /** There is nothing of this backend's own to remove. */
  @Override
  public void cleanup() {}

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
