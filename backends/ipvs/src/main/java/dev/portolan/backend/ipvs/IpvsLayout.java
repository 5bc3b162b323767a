package dev.portolan.backend.ipvs;

import static dev.portolan.nftables.table.PacketField.DESTINATION;
import static dev.portolan.nftables.table.PacketField.PORT;
import static dev.portolan.nftables.table.PacketField.PROTOCOL;
import static dev.portolan.nftables.table.PacketField.SOURCE;

import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.table.Chain;
import dev.portolan.nftables.table.Hairpins;
import dev.portolan.nftables.table.NodeConditions;
import dev.portolan.nftables.table.PacketField;
import dev.portolan.nftables.table.Rule;
import dev.portolan.nftables.table.SetType;
import dev.portolan.nftables.table.SourceRanges;
import dev.portolan.nftables.table.Statement;
import dev.portolan.nftables.table.Statement.Go;
import dev.portolan.nftables.table.Statement.InRange;
import dev.portolan.nftables.table.Statement.InSet;
import dev.portolan.nftables.table.Statement.IsLocal;
import dev.portolan.nftables.table.Statement.IsMarked;
import dev.portolan.nftables.table.Statement.IsNew;
import dev.portolan.nftables.table.Statement.Mark;
import dev.portolan.nftables.table.Statement.Masquerade;
import dev.portolan.nftables.table.Statement.Reject;
import dev.portolan.nftables.table.Statement.Unmark;
import dev.portolan.nftables.table.TableState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of the table that depends on the node alone.
 *
 * <p>IPVS takes a packet to a service at the end of the hook {@code input}, or of {@code output}
 * for one of the node itself, sends it to an endpoint, and hands it to {@code postrouting}. So a
 * connection is marked while its destination is still the service's, in {@code prerouting} or
 * {@code output}, and masqueraded in {@code postrouting}; what must not reach IPVS is dropped or
 * rejected in {@code input}, or at the begin of {@code output}.
 *
 * <p>There are no rules that accept: what a table accepts, another one may still drop.
 */
final class IpvsLayout {
  static final String ADDRESSES = "addresses";
  static final String CLUSTER_IPS = "cluster-ips";
  static final String EXTERNAL_IPS = "external-ips";
  static final String EXTERNAL_IPS_LOCAL = "external-ips-local";
  static final String NODEPORTS = "nodeports";
  static final String HEALTH_CHECKS = "health-checks";
  static final String DENIED_TO_NODE = "denied-to-node";

  private static final List<PacketField> SERVICE = List.of(DESTINATION, PROTOCOL, PORT);
  private static final List<PacketField> NODEPORT = List.of(PROTOCOL, PORT);
  private static final List<PacketField> LOOP = List.of(SOURCE, DESTINATION, PROTOCOL, PORT);

  private final IpFamily family;
  private final NodeFacts facts;
  private final int mark;

  private IpvsLayout(IpFamily family, NodeFacts facts, int mark) {
    this.family = family;
    this.facts = facts;
    this.mark = mark;
  }

  /**
   * Adds to {@code table} what a node needs; {@code mark} is the bit that asks for masquerading.
   */
  static void lay(TableState table, NodeFacts facts, int mark) {
    IpvsLayout layout = new IpvsLayout(table.family(), facts, mark);
    sets(table);
    callers(table);
    layout.marking(table);
    layout.masquerading(table);
    checks(table);
  }

  private static void sets(TableState table) {
    table.add(ADDRESSES, SetType.set("addresses of services on the device", DESTINATION));
    table.add(CLUSTER_IPS, SetType.set("cluster IPs", DESTINATION, PROTOCOL, PORT));
    table.add(
        EXTERNAL_IPS,
        SetType.set("external addresses, policy Cluster", DESTINATION, PROTOCOL, PORT));
    table.add(
        EXTERNAL_IPS_LOCAL,
        SetType.set("external addresses, policy Local", DESTINATION, PROTOCOL, PORT));
    table.add(NODEPORTS, SetType.set("nodePorts, policy Cluster", PROTOCOL, PORT));
    table.add(HEALTH_CHECKS, SetType.set("nodePorts of health checks", PROTOCOL, PORT));
    SourceRanges.sets(table);
    table.add(
        DENIED_TO_NODE,
        SetType.set(
            "source ranges without this node: from the address to itself",
            SOURCE,
            DESTINATION,
            PROTOCOL,
            PORT));
    Hairpins.lay(table);
  }

  private static void callers(TableState table) {
    Rule guard = Rule.of(new Go(NftVerdict.jump(SourceRanges.CHAIN)));
    Rule marking = Rule.of(new Go(NftVerdict.jump("marking")));
    table.add(Chain.at(Hook.nat(Hook.Point.PREROUTING, Hook.DNAT), "nat-prerouting", marking));
    table.add(Chain.at(Hook.nat(Hook.Point.OUTPUT, Hook.DNAT), "nat-output", marking));
    table.add(
        Chain.at(
            Hook.nat(Hook.Point.POSTROUTING, Hook.SNAT),
            "nat-postrouting",
            Rule.of(new Go(NftVerdict.jump("masquerading")))));
    table.add(
        Chain.at(
            Hook.filter(Hook.Point.INPUT, Hook.FILTER),
            "filter-input",
            guard,
            Rule.of(new IsNew(), new Go(NftVerdict.jump("address-check")))));
    table.add(Chain.at(Hook.filter(Hook.Point.FORWARD, Hook.FILTER), "filter-forward", guard));
    table.add(
        Chain.at(
            Hook.filter(Hook.Point.OUTPUT, Hook.BEFORE_DNAT),
            "filter-output-pre-ipvs",
            Rule.of(new InSet(LOOP, DENIED_TO_NODE, false), new Go(NftVerdict.DROP))));
  }

  private void marking(TableState table) {
    List<Rule> rules = new ArrayList<>();
    rules.add(
        Rule.of(
            new InRange(SOURCE, NodeConditions.loopback(family), false),
            new Go(NftVerdict.RETURN)));
    rules.add(clusterIps());
    rules.add(Rule.of(new InSet(SERVICE, EXTERNAL_IPS, false), new Mark(mark)));
    for (List<Statement> place : NodeConditions.nodePortPlaces(facts, family)) {
      List<Statement> statements = new ArrayList<>(place);
      statements.add(new IsLocal(DESTINATION));
      statements.add(new InSet(List.of(DESTINATION), ADDRESSES, true));
      statements.add(new InSet(NODEPORT, NODEPORTS, false));
      statements.add(new Mark(mark));
      rules.add(new Rule(statements, ""));
    }
    table.add(new Chain("marking", Optional.empty(), rules, "marks connections to masquerade"));
  }

  /**
   * Which connections to cluster IPs are masqueraded. Where pods cannot be distinguished from other
   * clients, it is those of the node itself: the device has the service's address, so they have it
   * as their source.
   */
  private Rule clusterIps() {
    Statement toClusterIp = new InSet(SERVICE, CLUSTER_IPS, false);
    if (facts.masqueradeAll()) {
      return Rule.of(toClusterIp, new Mark(mark)).as("masquerade all traffic to cluster IPs");
    }
    return NodeConditions.fromPods(facts.detector(family), true)
        .map(fromElsewhere ->
            Rule.of(toClusterIp, fromElsewhere, new Mark(mark))
                .as("masquerade traffic to cluster IPs that is not from local pods"))
        .orElse(
            Rule.of(new InSet(List.of(SOURCE, PROTOCOL, PORT), CLUSTER_IPS, false), new Mark(mark))
                .as("masquerade traffic of this node to cluster IPs"));
  }

  private void masquerading(TableState table) {
    table.add(
        Chain.of(
            "masquerading",
            "masquerades connections",
            Rule.of(new IsMarked(mark), new Unmark(mark), new Masquerade()),
            Rule.of(Hairpins.isOne(), new Masquerade()).as("pods that reach themselves")));
  }

  private static void checks(TableState table) {
    table.add(SourceRanges.chain());
    table.add(
        Chain.of(
            "address-check",
            "of an address of a service, only the service's ports are open",
            Rule.of(new InSet(SERVICE, CLUSTER_IPS, false), new Go(NftVerdict.RETURN)),
            Rule.of(new InSet(SERVICE, EXTERNAL_IPS, false), new Go(NftVerdict.RETURN)),
            Rule.of(new InSet(SERVICE, EXTERNAL_IPS_LOCAL, false), new Go(NftVerdict.RETURN)),
            Rule.of(new InSet(NODEPORT, HEALTH_CHECKS, false), new Go(NftVerdict.RETURN)),
            Rule.of(new InSet(List.of(DESTINATION), ADDRESSES, false), new Reject())
                .as("no service has this port")));
  }
}
