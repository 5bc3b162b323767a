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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Lets a node be programmed, reads the rules back, and walks packets through them; sends nothing.
 */
public final class RulesetJudge implements Judge {
  private static final int SOME_PORT = 40_000;
  private static final double TOLERANCE = 1e-6;

  private final Function<NodeSettings, FollowingNode> nodes;
  private final Supplier<Ruleset> rules;

  /** Judges by the rules that {@code rules} reads once a node of {@code nodes} has written them. */
  public RulesetJudge(Function<NodeSettings, FollowingNode> nodes, Supplier<Ruleset> rules) {
    this.nodes = nodes;
    this.rules = rules;
  }

  @Override
  public Sitting open(PacketTable table) {
    FollowingNode node = nodes.apply(table.settings());
    Ruleset read;
    try {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
      read = rules.get();
    } catch (RuntimeException e) {
      node.close();
      throw e;
    }
    return new Sitting() {
      @Override
      public Outcome judge(Packet packet) {
        return outcome(read.walk(first(packet)));
      }

      @Override
      public void close() {
        node.close();
      }
    };
  }

  /** The row as a packet that meets the rules of the lab's node. */
  public static FirstPacket first(Packet packet) {
    Optional<String> through =
        Actor.isOfNode(packet.source())
            ? Optional.empty()
            : Optional.of(Actor.PODS_A.contains(packet.from()) ? Actor.POD_BRIDGE : "eth0");
    return new FirstPacket(
        packet.source(), SOME_PORT, packet.address(), packet.port(), packet.protocol(), through);
  }

  /** What a table would say of it. */
  public static Outcome outcome(WalkResult result) {
    if (!result.remark().isEmpty()) {
      return Outcome.strange(result.remark());
    }
    if (result.verdict() != Verdict.FORWARD) {
      return Outcome.ended(result.verdict());
    }
    Map<String, Boolean> endpoints = new TreeMap<>();
    double even = 1.0 / result.ways().size();
    for (WalkResult.Way way : result.ways()) {
      if (Math.abs(way.share() - even) > TOLERANCE) {
        return Outcome.strange("shares are not even: " + result.ways());
      }
      endpoints.put(Endpoints.name(way.address(), way.port()), way.masquerade());
    }
    return Outcome.forwarded(
        endpoints, result.ways().stream().allMatch(WalkResult.Way::remembered));
  }
}
