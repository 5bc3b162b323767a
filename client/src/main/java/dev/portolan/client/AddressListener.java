package dev.portolan.client;

import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Cidr;
import java.util.List;

/**
 * Notified of addresses and ports at which services appear and disappear; {@link AddressBackend}
 * calls it.
 *
 * <p>Between two calls of {@link #sync} everything that is gone comes first, so that an address
 * that went from one service to another is free before it is taken.
 *
 * <p>A method may throw {@link dev.portolan.core.backend.BackendException}; the changes since the
 * last {@code sync} are then told once more.
 */
public interface AddressListener {
  /**
   * How traffic to an address is to be treated.
   *
   * @param affinitySeconds how long a client stays with its endpoint; 0 without affinity
   * @param sourceRanges the allowed clients; empty for all
   */
  record Treatment(TrafficPolicy policy, int affinitySeconds, List<Cidr> sourceRanges) {
    public Treatment {
      sourceRanges = List.copyOf(sourceRanges);
    }
  }

  /** Clients may use an address from now on. */
  void added(ServiceAddress address, Treatment treatment);

  /** An address stays, and its traffic is to be treated in another way. */
  void changed(ServiceAddress address, Treatment before, Treatment after);

  /** An address no longer belongs to the service. */
  void removed(ServiceAddress address);

  /** The calls so far make up a complete state. */
  default void sync() {}
}
