package dev.portolan.compare.decisions;

import dev.portolan.core.node.Traffic;
import java.util.List;

/**
 * How one kind of traffic to a service port is treated differently.
 *
 * @param endpointsBefore how many distinct endpoints it is spread over on all nodes together
 * @param verdicts one for each pair of verdicts, those that break something first
 */
public record TrafficDifference(
    Traffic traffic,
    int endpointsBefore,
    int endpointsAfter,
    List<VerdictChange> verdicts,
    List<EndpointChange> gained,
    List<EndpointChange> lost) {
  public TrafficDifference {
    verdicts = List.copyOf(verdicts);
    gained = List.copyOf(gained);
    lost = List.copyOf(lost);
  }

  /** Whether this happens to both kinds of traffic. */
  public boolean isLike(TrafficDifference other) {
    return verdicts.equals(other.verdicts)
        && gained.equals(other.gained)
        && lost.equals(other.lost);
  }
}
