package dev.portolan.wiring;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.text.Tree;
import java.time.Instant;
import java.util.List;

/** The traffic counters of services at one moment. */
public record TrafficReading(Instant at, List<OfService> services) {
  /** What was counted for one service. */
  public record OfService(@Tree.Named("id") NamespacedName service, List<OfPort> ports) {}

  /** What was counted for one port since the rules were written, such as of {@code 80/TCP}. */
  public record OfPort(String port, long connections, long refused, long dropped) {}
}
