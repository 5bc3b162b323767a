package dev.portolan.client;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import java.util.List;

/**
 * Notified of addresses and ports at which services appear and disappear; {@link AddressBackend}
 * calls it.
 *
 * <p>Between two calls of {@link #sync} everything that is gone comes first, so that an address
 * that went from one service to another is free before it is taken.
 *
 * <p>A method may throw {@link dev.portolan.core.backend.BackendException}; the changes since the
 * last {@code sync} are then reported once more.
 */
public interface AddressListener {
  /**
   * How to treat traffic from outside this node to an address.
   *
   * @param pool the endpoints that it is spread over
   * @param affinitySeconds how long a client stays with its endpoint; 0 without affinity
   * @param sourceRanges the allowed clients; empty for all
   */
  record Treatment(Pool pool, int affinitySeconds, List<Cidr> sourceRanges) {
    public Treatment {
      sourceRanges = List.copyOf(sourceRanges);
    }
  }

  /** Clients may use an address from now on. */
  void added(ServicePortName port, ServiceAddress address, Treatment treatment);

  /** An address stays, but its traffic is treated in another way now. */
  void changed(ServicePortName port, ServiceAddress address, Treatment before, Treatment after);

  /** An address no longer belongs to the port. */
  void removed(ServicePortName port, ServiceAddress address);

  /** The calls so far make up a complete state. */
  default void sync() {}
}
