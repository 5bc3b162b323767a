package dev.portolan.status.traffic;

import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.node.ServicePortName;
import java.util.EnumMap;
import java.util.Map;

/** What was counted of the traffic of a service port; a kind that is not counted is not in it. */
public record PortTraffic(ServicePortName port, Map<Kind, Long> totals) {
  public PortTraffic {
    totals = totals.isEmpty() ? Map.of() : new EnumMap<>(totals);
  }

  /** How much of a kind; 0 where it is not counted. */
  public long of(Kind kind) {
    return totals.getOrDefault(kind, 0L);
  }
}
