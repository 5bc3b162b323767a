package dev.portolan.core.node;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The route of each kind of traffic to a service port. */
public record Routes(Route internal, Route external, Route shortCircuit) {
  /** Each value once: services by the ten thousand have one of a few. */
  private static final List<Routes> KNOWN = new CopyOnWriteArrayList<>();

  /**
   * The routes through these pools; pods and the node itself always use endpoints on any node.
   *
   * <p>Connections from outside that may go to another node are masqueraded, so that the answers
   * come back through this one. Those that stay on this node keep their source, as do its pods'.
   */
  public static Routes of(
      Pool internalPool,
      Verdict internal,
      Pool externalPool,
      Verdict external,
      Verdict shortCircuit) {
    for (Routes known : KNOWN) {
      if (known.internal.verdict() == internal
          && known.external.verdict() == external
          && known.shortCircuit.verdict() == shortCircuit
          && known.internal.pool() == internalPool
          && known.external.pool() == externalPool) {
        return known;
      }
    }
    boolean keepsSource = externalPool == Pool.LOCAL;
    Routes routes =
        new Routes(
            new Route(internal, internalPool, Masquerade.ALL_BUT_PODS),
            new Route(external, externalPool, keepsSource ? Masquerade.NONE : Masquerade.ALL),
            new Route(shortCircuit, Pool.CLUSTER, keepsSource ? Masquerade.NODE : Masquerade.ALL));
    KNOWN.add(routes);
    return routes;
  }

  /** The route of {@code traffic}. */
  public Route of(Traffic traffic) {
    return switch (traffic) {
      case INTERNAL -> internal;
      case EXTERNAL -> external;
      case SHORT_CIRCUIT -> shortCircuit;
    };
  }

  /** Whether some traffic to the port's addresses is sent to {@code pool}. */
  public boolean use(Pool pool) {
    return uses(internal, pool) || uses(external, pool) || uses(shortCircuit, pool);
  }

  private static boolean uses(Route route, Pool pool) {
    return route.verdict() != Verdict.NONE && route.pool() == pool;
  }

  /** Whether external addresses treat pods and the node itself differently from other clients. */
  public boolean shortCircuits() {
    return shortCircuit.verdict() != Verdict.NONE && shortCircuit.pool() != external.pool();
  }
}
