package dev.portolan.core.node;

/**
 * Where the rules that different backends write treat the same packet differently, although the
 * same was decided: packets that no endpoint gets. A backend describes itself with it, so that an
 * explanation is true of the node on which it runs.
 *
 * @param name what people call it, such as {@code nftables}
 * @param guardsClusterIps whether unused ports of cluster IPs are rejected and unassigned cluster
 *     IPs dropped; otherwise no rule matches them
 * @param filtersWithoutEndpoints whether the source ranges of a service apply while it has no
 *     endpoints
 * @param endsOwnConnections whether connections from the node itself to external addresses without
 *     endpoints end like those of other clients; otherwise no rule matches them, unless the address
 *     is the node's own
 * @param endsNodePortsEverywhere whether connections to a nodePort without endpoints end on every
 *     address of the node; otherwise only on those that serve nodePorts
 * @param servesLocalhost whether nodePorts are served on IPv4 loopback addresses, if these are
 *     among the nodePort addresses
 */
public record Dataplane(
    String name,
    boolean guardsClusterIps,
    boolean filtersWithoutEndpoints,
    boolean endsOwnConnections,
    boolean endsNodePortsEverywhere,
    boolean servesLocalhost) {
  /** Does to every packet what was decided for its address, and leaves localhost alone. */
  public static final Dataplane EXACT = new Dataplane("", true, true, true, false, false);

  /** The same under a name. */
  public Dataplane named(String other) {
    return new Dataplane(
        other,
        guardsClusterIps,
        filtersWithoutEndpoints,
        endsOwnConnections,
        endsNodePortsEverywhere,
        servesLocalhost);
  }

  /** The same with nodePorts on localhost, or without. */
  public Dataplane withLocalhost(boolean served) {
    return new Dataplane(
        name,
        guardsClusterIps,
        filtersWithoutEndpoints,
        endsOwnConnections,
        endsNodePortsEverywhere,
        served);
  }
}
