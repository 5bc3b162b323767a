package dev.portolan.core.brain;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Frontend;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.BiConsumer;

/** A place where clients knock: only one service can answer there. */
record Claim(Ip address, Protocol protocol, int port) {
  private static final Ip ANY_V4 = Ip.of("0.0.0.0");
  private static final Ip ANY_V6 = Ip.of("::");

  /** By what right a service claims a place, the strongest first. */
  enum Right {
    /** Allocated by the API server, which gives each address once. */
    CLUSTER_IP,
    /** Written by whoever runs the load balancers. */
    LOAD_BALANCER,
    /** Written by whoever made the service. */
    EXTERNAL_IP,
    /** Allocated by the API server; no address of a service can be in its way. */
    NODE_PORT
  }

  /**
   * A service that claims a place. The stronger right wins, then the older service, then the
   * smaller name, so that nobody can take an address away from one who had it.
   */
  record Claimant(Right right, Instant created, NamespacedName service)
      implements Comparable<Claimant> {
    private static final Comparator<Claimant> ORDER =
        Comparator.comparing(Claimant::right)
            .thenComparing(Claimant::created)
            .thenComparing(Claimant::service);

    @Override
    public int compareTo(Claimant other) {
      return ORDER.compare(this, other);
    }
  }

  /** The claim on a nodePort in a family, whatever the node's address. */
  static Claim nodePort(IpFamily family, Protocol protocol, int port) {
    return new Claim(family == IpFamily.IPV4 ? ANY_V4 : ANY_V6, protocol, port);
  }

  /** Tells each claim that a frontend makes, with its right. */
  static void forEach(Frontend frontend, BiConsumer<Claim, Right> action) {
    Protocol protocol = frontend.name().protocol();
    action.accept(new Claim(frontend.clusterIp(), protocol, frontend.port()), Right.CLUSTER_IP);
    for (Ip ip : frontend.loadBalancerIps()) {
      action.accept(new Claim(ip, protocol, frontend.port()), Right.LOAD_BALANCER);
    }
    for (Ip ip : frontend.externalIps()) {
      action.accept(new Claim(ip, protocol, frontend.port()), Right.EXTERNAL_IP);
    }
    if (frontend.nodePort() != 0) {
      action.accept(nodePort(frontend.family(), protocol, frontend.nodePort()), Right.NODE_PORT);
    }
  }

  @Override
  public String toString() {
    return (address.isUnspecified() ? "nodePort " + port : address.withPort(port)) + "/" + protocol;
  }
}
