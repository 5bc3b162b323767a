package dev.portolan.compare.events;

import dev.portolan.compare.decisions.ClusterComparison;
import dev.portolan.compare.decisions.ComparedNodes;
import dev.portolan.compare.decisions.NodeSet;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.core.text.Tree;
import java.util.List;
import java.util.Set;

/**
 * What a change of decisions means for connections.
 *
 * @param broken what would be refused or dropped and is not now
 * @param mended the other way round
 * @param loads ports that are served on, by more or fewer endpoints, those with most load first
 * @param leavingZone ports whose clients use endpoints of their zone alone, and would not
 * @param otherwise services that differ in another way
 * @param unchanged how many services treat new connections as they do now
 */
public record Impact(
    List<Reversal> broken,
    List<Reversal> mended,
    List<Load> loads,
    List<LeavingZone> leavingZone,
    @Tree.Named("changedOtherwise") Set<String> otherwise,
    int unchanged) {
  public Impact {
    broken = List.copyOf(broken);
    mended = List.copyOf(mended);
    loads = List.copyOf(loads);
    leavingZone = List.copyOf(leavingZone);
  }

  /**
   * Traffic that has another verdict.
   *
   * @param traffic the kinds of traffic to which the same happens
   * @param after what becomes of it; none where there is no such service any more
   */
  public record Reversal(
      @Tree.Inline ServicePortName port,
      IpFamily family,
      List<Traffic> traffic,
      Verdict before,
      Verdict after,
      NodeSet nodes) {}

  /** How many endpoints traffic to a port is spread over, on all nodes together. */
  @Tree.Fields("port family before after loadPerEndpoint")
  public record Load(
      @Tree.Inline ServicePortName port,
      IpFamily family,
      @Tree.Named("endpointsBefore") int before,
      @Tree.Named("endpointsAfter") int after) {
    /** How much more each endpoint gets, if clients do as before: 2.0 for twice as much. */
    public double factor() {
      return (double) before / after;
    }

    double loadPerEndpoint() {
      return Math.round(factor() * 100) / 100.0;
    }
  }

  /**
   * Clients that stay in their zone and would not.
   *
   * @param before how many endpoints in the zone they have, and no others
   * @param after how many of those that they would have are in the zone
   */
  public record LeavingZone(
      @Tree.Inline ServicePortName port,
      IpFamily family,
      String zone,
      @Tree.Named("endpointsInZoneBefore") int before,
      @Tree.Named("endpointsInZoneAfter") int after,
      NodeSet nodes) {}

  /** What {@code comparison}, of the decisions in {@code nodes}, means. */
  public static Impact of(ComparedNodes nodes, ClusterComparison comparison) {
    return new ImpactTally(nodes).of(comparison);
  }

  /** Whether nothing fails that does not fail now. */
  public boolean breaksNothing() {
    return broken.isEmpty();
  }
}
