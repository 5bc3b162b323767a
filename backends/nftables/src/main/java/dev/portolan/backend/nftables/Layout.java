package dev.portolan.backend.nftables;

import static dev.portolan.nftables.table.PacketField.DESTINATION;
import static dev.portolan.nftables.table.PacketField.PORT;
import static dev.portolan.nftables.table.PacketField.PROTOCOL;

import dev.portolan.core.net.Cidr;
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
import dev.portolan.nftables.table.Statement.VerdictOf;
import dev.portolan.nftables.table.Statement.WasDnatted;
import dev.portolan.nftables.table.TableState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of the table that depends on the node alone: where the kernel calls us, and in which
 * order a packet meets the maps that services fill.
 *
 * <p>A packet first meets the guards of load-balancer addresses (before its destination is
 * changed), then {@code services}, which sends it to an endpoint, then the checks for addresses
 * without endpoints, and last {@code masquerading}.
 */
public final class Layout {
  static final String CLUSTER_IPS = "cluster-ips";
  static final String REJECTING = "rejecting";

  private static final List<PacketField> SERVICE = List.of(DESTINATION, PROTOCOL, PORT);
  private static final List<PacketField> NODEPORT = List.of(PROTOCOL, PORT);

  private final IpFamily family;
  private final NodeFacts facts;
  private final int mark;
  private final ServiceMaps maps;

  private Layout(IpFamily family, NodeFacts facts, NftablesOptions options) {
    this.family = family;
    this.facts = facts;
    this.mark = options.mark();
    this.maps = options.maps();
  }

  /** Adds to {@code table} what a node needs. */
  static void lay(TableState table, NodeFacts facts, NftablesOptions options) {
    Layout layout = new Layout(table.family(), facts, options);
    layout.sets(table);
    layout.callers(table);
    layout.services(table);
    layout.checks(table);
    layout.masquerading(table);
  }

  private void sets(TableState table) {
    table.add(CLUSTER_IPS, SetType.set("every cluster IP", DESTINATION));
    maps.lay(table);
    SourceRanges.sets(table);
    Hairpins.lay(table);
  }

  private void callers(TableState table) {
    Rule serve = Rule.of(new Go(NftVerdict.jump("services")));
    Rule serviceCheck = Rule.of(new IsNew(), new Go(NftVerdict.jump("service-check")));
    Rule nodePortCheck = Rule.of(new IsNew(), new Go(NftVerdict.jump("nodeport-check")));
    Rule clusterIpCheck = Rule.of(new IsNew(), new Go(NftVerdict.jump("cluster-ip-check")));
    table.add(Chain.at(Hook.nat(Hook.Point.PREROUTING, Hook.DNAT), "nat-prerouting", serve));
    table.add(Chain.at(Hook.nat(Hook.Point.OUTPUT, Hook.DNAT), "nat-output", serve));
    table.add(
        Chain.at(
            Hook.filter(Hook.Point.INPUT, Hook.FILTER),
            "filter-input",
            nodePortCheck,
            serviceCheck));
    table.add(
        Chain.at(
            Hook.filter(Hook.Point.FORWARD, Hook.FILTER),
            "filter-forward",
            serviceCheck,
            clusterIpCheck));
    table.add(
        Chain.at(
            Hook.filter(Hook.Point.OUTPUT, Hook.FILTER),
            "filter-output",
            serviceCheck,
            clusterIpCheck));
    table.add(
        Chain.at(
            Hook.nat(Hook.Point.POSTROUTING, Hook.SNAT),
            "nat-postrouting",
            Rule.of(new Go(NftVerdict.jump("masquerading")))));
  }

  /** The chains that enforce source ranges; without any, packets do not pay for them. */
  static List<Chain> guards() {
    Rule guard = Rule.of(new IsNew(), new Go(NftVerdict.jump(SourceRanges.CHAIN)));
    return List.of(
        Chain.at(
            Hook.filter(Hook.Point.PREROUTING, Hook.BEFORE_DNAT),
            "filter-prerouting-pre-dnat",
            guard),
        Chain.at(Hook.filter(Hook.Point.OUTPUT, Hook.BEFORE_DNAT), "filter-output-pre-dnat", guard),
        SourceRanges.chain());
  }

  private void services(TableState table) {
    List<Rule> rules = new ArrayList<>();
    InSet toClusterIp = new InSet(List.of(DESTINATION), CLUSTER_IPS, false);
    if (facts.masqueradeAll()) {
      rules.add(Rule.of(toClusterIp, new Mark(mark)).as("masquerade all traffic to cluster IPs"));
    } else {
      NodeConditions.fromPods(facts.detector(family), true)
          .ifPresent(fromElsewhere ->
              rules.add(
                  Rule.of(fromElsewhere, toClusterIp, new Mark(mark))
                      .as("masquerade traffic to cluster IPs that is not from local pods")));
    }
    List<Rule> lookups = new ArrayList<>();
    lookups.add(Rule.of(new VerdictOf(SERVICE, maps.serviceIps())));
    for (List<Statement> place : NodeConditions.nodePortPlaces(facts, family)) {
      lookups.add(rule(place, new IsLocal(DESTINATION), new VerdictOf(NODEPORT, maps.nodePorts())));
    }
    rules.addAll(lookups);
    lookups.forEach(rule -> rules.add(rule.as("look again: it may just have been replaced")));
    table.add(new Chain("services", Optional.empty(), rules, "sends connections to endpoints"));
  }

  private void checks(TableState table) {
    table.add(
        Chain.of(
            "service-check",
            "for service addresses without endpoints",
            Rule.of(new VerdictOf(SERVICE, maps.noEndpoints()))));
    List<Rule> nodePortRules = new ArrayList<>();
    for (List<Statement> place : NodeConditions.nodePortPlaces(facts, family)) {
      nodePortRules.add(rule(place, new VerdictOf(NODEPORT, maps.noEndpointsNodePorts())));
    }
    table.add(
        new Chain(
            "nodeport-check", Optional.empty(), nodePortRules, "for nodePorts without endpoints"));
    List<Rule> rules = new ArrayList<>();
    rules.add(
        Rule.of(new InSet(List.of(DESTINATION), CLUSTER_IPS, false), new Reject())
            .as("no service has this port"));
    for (Cidr range : facts.serviceCidrs()) {
      if (range.family() == family) {
        rules.add(
            Rule.of(new InRange(DESTINATION, range, false), new Go(NftVerdict.DROP))
                .as("no service has this address"));
      }
    }
    table.add(
        new Chain(
            "cluster-ip-check", Optional.empty(), rules, "for cluster IPs that no service has"));
    table.add(Chain.of(REJECTING, "rejects the connection", Rule.of(new Reject())));
  }

  private void masquerading(TableState table) {
    table.add(
        Chain.of(
            "masquerading",
            "masquerades connections",
            Rule.of(new IsMarked(mark), new Unmark(mark), new Masquerade()),
            Rule.of(new WasDnatted(), Hairpins.isOne(), new Masquerade())
                .as("pods that reach themselves")));
  }

  private static Rule rule(List<Statement> first, Statement... rest) {
    List<Statement> all = new ArrayList<>(first);
    all.addAll(List.of(rest));
    return new Rule(all, "");
  }
}
