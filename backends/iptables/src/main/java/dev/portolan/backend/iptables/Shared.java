package dev.portolan.backend.iptables;

/** The chains in which many services have rules. Each is written as a whole or not at all. */
enum Shared {
  FILTER_SERVICES(Chains.FILTER, Chains.SERVICES),
  FILTER_EXTERNAL_SERVICES(Chains.FILTER, Chains.EXTERNAL_SERVICES),
  FILTER_NODE_PORTS(Chains.FILTER, Chains.NODE_PORTS),
  FILTER_FIREWALL(Chains.FILTER, Chains.PROXY_FIREWALL),
  NAT_SERVICES(Chains.NAT, Chains.SERVICES),
  NAT_NODE_PORTS(Chains.NAT, Chains.NODE_PORTS);

  private final String table;
  private final String chain;

  Shared(String table, String chain) {
    this.table = table;
    this.chain = chain;
  }

  /** Whether one of them is the chain that is called so, such as {@code nat KUBE-SERVICES}. */
  static boolean isOne(String tableAndChain) {
    for (Shared shared : values()) {
      if (tableAndChain.equals(shared.table + " " + shared.chain)) {
        return true;
      }
    }
    return false;
  }

  String table() {
    return table;
  }

  String chain() {
    return chain;
  }
}
