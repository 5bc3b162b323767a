package dev.portolan.walk;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.Verdict;
import dev.portolan.lab.Actor;
import dev.portolan.packets.Endpoints;
import dev.portolan.packets.FollowingNode;
import dev.portolan.packets.Judge;
import dev.portolan.packets.Outcome;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets a node program a real kernel, reads the rules back, and walks the packets through them
 * instead of sending them. Tables with the same settings share what was read.
 */
public final class WalkJudge implements Judge {
  private static final int CLIENT_PORT = 40000;

  private final Function<NodeSettings, FollowingNode> nodes;
  private final Supplier<Ruleset> reader;
  private final Map<NodeSettings, Ruleset> read = new HashMap<>();

  /** Reads with {@code reader} what a node of {@code nodes} has written. */
  public WalkJudge(Function<NodeSettings, FollowingNode> nodes, Supplier<Ruleset> reader) {
    this.nodes = nodes;
    this.reader = reader;
  }

  @Override
  public Sitting open(PacketTable table) {
    Ruleset rules = read.computeIfAbsent(table.settings(), this::program);
    return packet -> outcome(rules.walk(firstPacket(packet)));
  }

  private Ruleset program(NodeSettings settings) {
    try (FollowingNode node = nodes.apply(settings)) {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
      return reader.get();
    }
  }

  /** A packet of a table as the node sees it. */
  public static FirstPacket firstPacket(Packet packet) {
    Optional<String> link =
        Actor.isOfNode(packet.source())
            ? Optional.empty()
            : Optional.of(Actor.PODS_A.contains(packet.from()) ? Actor.POD_BRIDGE : "eth0");
    return new FirstPacket(
        packet.source(), CLIENT_PORT, packet.address(), packet.port(), packet.protocol(), link);
  }

  /** What a walk found, as a packet table says it. */
  public static Outcome outcome(WalkResult result) {
    if (!result.remark().isEmpty()) {
      return Outcome.strange(result.remark());
    }
    if (result.verdict() != Verdict.FORWARD) {
      return Outcome.ended(result.verdict());
    }
    Map<String, Boolean> endpoints = new TreeMap<>();
    for (WalkResult.Way way : result.ways()) {
      Boolean before = endpoints.put(Endpoints.name(way.address(), way.port()), way.masquerade());
      if (before != null) {
        return Outcome.strange("two ways to " + way.address() + ": " + result.ways());
      }
    }
    return Outcome.forwarded(
        endpoints, result.ways().stream().allMatch(WalkResult.Way::remembered));
  }
}
