package dev.portolan.brain;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServiceAddress.Kind;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place where clients knock: only one service can answer there. */
record Claim(Ip address, Protocol protocol, int port) {
  /**
   * The kinds of addresses by how good a claim they make, the strongest first. Cluster IPs are
   * allocated by the API server, which gives each address once; load-balancer IPs are written by
   * the controller of the load balancers, external IPs by the author of the service. NodePorts are
   * allocated again, and no other address can be in their way.
   */
  private static final List<Kind> STRENGTH =
      List.of(Kind.CLUSTER_IP, Kind.LOAD_BALANCER_IP, Kind.EXTERNAL_IP, Kind.NODE_PORT);

  /**
   * A service that claims a place. The stronger kind wins, then the older service, then the smaller
   * name, so that no service can take an address away from its holder.
   */
  record Claimant(Kind kind, Instant created, NamespacedName service)
      implements Comparable<Claimant> {
    private static final Comparator<Claimant> ORDER =
        Comparator.comparingInt((Claimant claimant) -> STRENGTH.indexOf(claimant.kind))
            .thenComparing(Claimant::created)
            .thenComparing(Claimant::service);

    @Override
    public int compareTo(Claimant other) {
      return ORDER.compare(this, other);
    }
  }

  /** The claim that a frontend makes by one of its addresses. */
  static Claim of(Frontend frontend, ServiceAddress address) {
    return new Claim(address.address(), frontend.name().protocol(), address.port());
  }

  /** Written out, like the hash, because every address of every service is looked up. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Claim claim
        && claim.port == port
        && claim.protocol == protocol
        && claim.address.equals(address);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * address.hashCode() + port) + protocol.hashCode();
  }

  @Override
  public String toString() {
    return (address.isUnspecified() ? "nodePort " + port : address.withPort(port)) + "/" + protocol;
  }
}
