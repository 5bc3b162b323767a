package dev.portolan.backend.ebpf;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePortName;
import java.util.List;

/** What becomes of a socket that connects to a {@link SocketFrontend}. */
sealed interface SocketTarget {
  /** The system call fails with ECONNREFUSED. */
  record Refused() implements SocketTarget {}

  /**
   * It connects to an endpoint of a pool.
   *
   * @param affinity for how many seconds a network namespace stays with its endpoint; 0 for not
   */
  record Forwarded(PoolName pool, int affinity) implements SocketTarget {}

  /** Which endpoints: those of a service port in one family, on any node or on this one. */
  record PoolName(ServicePortName port, IpFamily family, Pool pool) {
    /** {@code shop/web:http cluster}. */
    @Override
    public String toString() {
      return port + " " + pool.name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * The endpoints of a pool.
   *
   * @param chosen where new connections go, each as often as its weight asks for
   * @param serving where others may stay, beside these
   * @param remembered whether it is looked up later if an endpoint is still one of them
   */
  record Members(List<Endpoint> chosen, List<Endpoint> serving, boolean remembered) {
    public Members {
      chosen = List.copyOf(chosen);
      serving = List.copyOf(serving);
    }
  }
}
