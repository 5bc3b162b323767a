package dev.portolan.walk.iptables;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.core.net.IpFamily;
import dev.portolan.walk.ServedPlace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The destinations that kube-proxy's chains, and ours, do something about. */
final class ServedRules {
  private record Where(String table, String chain) {}

  private static final List<Where> CHAINS =
      List.of(
          new Where(Chains.NAT, Chains.SERVICES),
          new Where(Chains.NAT, Chains.NODE_PORTS),
          new Where(Chains.FILTER, Chains.SERVICES),
          new Where(Chains.FILTER, Chains.EXTERNAL_SERVICES),
          new Where(Chains.FILTER, Chains.PROXY_FIREWALL));

  private ServedRules() {}

  /** Those of the tables of one family. */
  static Set<ServedPlace> of(SavedTables tables, IpFamily family) {
    Set<ServedPlace> served = new LinkedHashSet<>();
    for (Where where : CHAINS) {
      tables
          .chain(where.table, where.chain)
          .ifPresent(chain -> chain.rules().forEach(rule -> add(served, where, rule, family)));
    }
    return served;
  }

  private static void add(
      Set<ServedPlace> served, Where where, IptablesRule rule, IpFamily family) {
    RuleSubject subject = rule.subject();
    boolean named =
        subject.destination().isPresent()
            || subject.local()
            || where.chain.equals(Chains.NODE_PORTS);
    if (named && subject.port() != 0) {
      subject
          .protocol()
          .ifPresent(protocol ->
              served.add(
                  new ServedPlace(
                      family,
                      protocol,
                      subject.destination(),
                      subject.port(),
                      owner(subject.comment()))));
    }
  }

  /** The service port that a comment begins with. */
  private static String owner(String comment) {
    String first = comment.split(" ", 2)[0];
    return first.contains("/") ? first : "";
  }
}
