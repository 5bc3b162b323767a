package dev.portolan.backend.iptables;

import java.util.List;
import java.util.stream.Stream;

/**
 * A rule that leads from one of the kernel's own chains into one of ours.
 *
 * @param onlyNew whether only the first packet of a connection goes there
 */
public record Jump(String table, String from, String to, String comment, boolean onlyNew) {
  private static final String EXTERNALLY = "kubernetes externally-visible service portals";
  private static final String PORTALS = "kubernetes service portals";
  private static final String FIREWALL = "kubernetes load balancer firewall";

  /** All of them; each is put first in its chain, so that the last one here is met first. */
  public static final List<Jump> ALL =
      List.of(
          new Jump(Chains.FILTER, "INPUT", Chains.EXTERNAL_SERVICES, EXTERNALLY, true),
          new Jump(Chains.FILTER, "FORWARD", Chains.EXTERNAL_SERVICES, EXTERNALLY, true),
          new Jump(
              Chains.FILTER,
              "INPUT",
              Chains.NODE_PORTS,
              "kubernetes health check service ports",
              false),
          new Jump(Chains.FILTER, "FORWARD", Chains.SERVICES, PORTALS, true),
          new Jump(Chains.FILTER, "OUTPUT", Chains.SERVICES, PORTALS, true),
          new Jump(Chains.FILTER, "FORWARD", Chains.FORWARD, "kubernetes forwarding rules", false),
          new Jump(Chains.FILTER, "INPUT", Chains.PROXY_FIREWALL, FIREWALL, true),
          new Jump(Chains.FILTER, "OUTPUT", Chains.PROXY_FIREWALL, FIREWALL, true),
          new Jump(Chains.FILTER, "FORWARD", Chains.PROXY_FIREWALL, FIREWALL, true),
          new Jump(Chains.NAT, "OUTPUT", Chains.SERVICES, PORTALS, false),
          new Jump(Chains.NAT, "PREROUTING", Chains.SERVICES, PORTALS, false),
          new Jump(
              Chains.NAT,
              "POSTROUTING",
              Chains.POSTROUTING,
              "kubernetes postrouting rules",
              false));

  /** Those into the kubelet's chain, for the guard of nodePorts on localhost. */
  static final List<Jump> OF_GUARD =
      List.of(
          new Jump(Chains.FILTER, "INPUT", Chains.KUBELET_FIREWALL, "", false),
          new Jump(Chains.FILTER, "OUTPUT", Chains.KUBELET_FIREWALL, "", false));

  /** Those that a node needs. */
  static List<Jump> wanted(boolean guard) {
    return guard ? Stream.concat(ALL.stream(), OF_GUARD.stream()).toList() : ALL;
  }

  /** The rule without the chain that it is in, as iptables-save prints it too. */
  public String rule() {
    return (onlyNew ? "-m conntrack --ctstate NEW " : "")
        + (comment.isEmpty() ? "" : "-m comment --comment \"" + comment + "\" ")
        + "-j "
        + to;
  }

  @Override
  public String toString() {
    return "the jump from " + from + " to " + to + " in table " + table;
  }
}
