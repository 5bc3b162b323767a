package dev.portolan.proxy.takeover;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of the chains that kube-proxy makes in its modes iptables and ipvs. Others begin alike:
 * KUBE-FIREWALL, KUBE-MARK-DROP, KUBE-KUBELET-CANARY and KUBE-IPTABLES-HINT are the kubelet's.
 */
final class KubeChains {
  /** The tables that kube-proxy writes to. */
  static final List<String> TABLES = List.of("nat", "filter", "mangle");

  private static final Set<String> BUILT_IN =
      Set.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");
  private static final Map<String, Set<String>> NAMES =
      Map.of(
          "nat",
          Set.of(
              "KUBE-SERVICES",
              "KUBE-NODEPORTS",
              "KUBE-POSTROUTING",
              "KUBE-MARK-MASQ",
              "KUBE-PROXY-CANARY",
              "KUBE-NODE-PORT",
              "KUBE-LOAD-BALANCER"),
          "filter",
          Set.of(
              "KUBE-SERVICES",
              "KUBE-EXTERNAL-SERVICES",
              "KUBE-NODEPORTS",
              "KUBE-FORWARD",
              "KUBE-PROXY-FIREWALL",
              "KUBE-PROXY-CANARY",
              "KUBE-NODE-PORT",
              "KUBE-SOURCE-RANGES-FIREWALL",
              "KUBE-IPVS-FILTER",
              "KUBE-IPVS-OUT-FILTER"),
          "mangle",
          Set.of("KUBE-PROXY-CANARY"));

  /** One chain a service or endpoint, named by a hash; XLB is what old releases called EXT. */
  private static final Pattern HASHED =
      Pattern.compile("KUBE-(SVC|SVL|SEP|FW|EXT|XLB)-[A-Z2-7]{16}");

  private KubeChains() {}

  /** Whether a chain of that name in that table is kube-proxy's. */
  static boolean isOwned(String table, String chain) {
    return NAMES.getOrDefault(table, Set.of()).contains(chain)
        || (table.equals("nat") && HASHED.matcher(chain).matches());
  }

  /** Whether the kernel sends packets into chains of that name by itself. */
  static boolean isBuiltIn(String chain) {
    return BUILT_IN.contains(chain);
  }
}
