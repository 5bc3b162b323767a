package dev.portolan.takeover;

import dev.portolan.backend.iptables.Chains;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names of the chains that kube-proxy makes in its modes iptables and ipvs. Other names begin
 * the same way: KUBE-FIREWALL, KUBE-MARK-DROP, KUBE-KUBELET-CANARY and KUBE-IPTABLES-HINT are the
 * kubelet's.
 */
final class KubeChains {
  /** The tables that kube-proxy writes to, first the one with our mark. */
  static final List<String> TABLES = List.of("nat", "filter", "mangle");

  /** Those of mode ipvs alone. */
  private static final Map<String, Set<String>> IPVS =
      Map.of(
          "nat",
          Set.of("KUBE-NODE-PORT", "KUBE-LOAD-BALANCER"),
          "filter",
          Set.of(
              "KUBE-NODE-PORT",
              "KUBE-SOURCE-RANGES-FIREWALL",
              "KUBE-IPVS-FILTER",
              "KUBE-IPVS-OUT-FILTER"));

  private KubeChains() {}

  /** Whether a chain of that name in that table is kube-proxy's. */
  static boolean isOwned(String table, String chain) {
    return Chains.isOwned(table, chain) || IPVS.getOrDefault(table, Set.of()).contains(chain);
  }
}
