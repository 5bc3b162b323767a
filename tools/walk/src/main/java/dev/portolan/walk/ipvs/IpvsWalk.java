package dev.portolan.walk.ipvs;

import dev.portolan.core.net.Ip;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.walk.HookedRules;
import dev.portolan.walk.Journey;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.WalkStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The way of a packet past IPVS, which takes it at the end of the hook {@code input}, or in the
 * middle of {@code output} where the node itself sends it. What IPVS sends on meets {@code output}
 * after that middle, and {@code postrouting}.
 */
final class IpvsWalk {
  private final VirtualServers servers;
  private final NodeNetwork network;
  private final List<HookedRules> rules;

  IpvsWalk(VirtualServers servers, NodeNetwork network, List<HookedRules> rules) {
    this.servers = servers;
    this.network = network;
    this.rules = rules;
  }

  /** All ways of a packet that arrives. */
  List<Journey> arriving(Journey start) {
    return each(at(start, HookedRules::prerouting), this::routed);
  }

  private List<Journey> routed(Journey way) {
    return network.isLocal(way.packet().destination())
        ? each(at(way, HookedRules::input), it -> scheduled(it).orElse(List.of(it)))
        : each(at(way, HookedRules::forward), it -> at(it, HookedRules::postrouting));
  }

  /** All ways of a packet that a process of the node sends. */
  List<Journey> sent(Journey start) {
    return each(at(start, HookedRules::output), it -> scheduled(it).orElseGet(() -> leaving(it)));
  }

  private List<Journey> leaving(Journey way) {
    List<Journey> out =
        each(at(way, HookedRules::filteredOutput), it -> at(it, HookedRules::postrouting));
    return network.isLocal(way.packet().destination())
        ? each(out, it -> at(it.with(it.packet().through("lo", "")), HookedRules::input))
        : out;
  }

  /** The ways that IPVS sends a packet; empty where no virtual server takes it. */
  private Optional<List<Journey>> scheduled(Journey way) {
    return servers.of(way.packet()).map(server -> scheduled(way, server));
  }

  private List<Journey> scheduled(Journey way, VirtualServers.Server server) {
    String rule = server.service() + " " + server.settings();
    Map<RealServer, Double> shares = server.shares();
    if (shares.isEmpty()) {
      return List.of(way.met(new WalkStep("ipvs", rule, "no real server: reject")).rejected());
    }
    List<Journey> ways = new ArrayList<>();
    shares.forEach((real, share) -> {
      Journey one = way.met(new WalkStep("ipvs", rule, "real server " + real)).part(share);
      if (server.settings().isPersistent()) {
        one = one.keeping();
      }
      ways.addAll(sendTo(one, real));
    });
    return ways;
  }

  private List<Journey> sendTo(Journey way, RealServer real) {
    if (real.method() != RealServer.NAT && real.method() != RealServer.LOCAL) {
      return List.of(way.remarked("packets to real server " + real + " are not translated"));
    }
    Ip address = Ip.fromBytes(real.address().getAddress());
    Journey sent = way.with(way.packet().sentTo(address, real.port()).through("", ""));
    // What is for the node itself is delivered at once.
    return network.isLocal(address)
        ? List.of(sent)
        : each(at(sent, HookedRules::filteredOutput), it -> at(it, HookedRules::postrouting));
  }

  private List<Journey> at(Journey start, BiFunction<HookedRules, Journey, List<Journey>> hook) {
    List<Journey> ways = List.of(start);
    for (HookedRules each : rules) {
      ways = each(ways, way -> hook.apply(each, way));
    }
    return ways;
  }

  private static List<Journey> each(List<Journey> ways, Function<Journey, List<Journey>> step) {
    List<Journey> all = new ArrayList<>();
    ways.forEach(way -> all.addAll(way.goesOn() ? step.apply(way) : List.of(way)));
    return all;
  }
}
