package dev.portolan.web.answer;

import dev.portolan.web.state.ChartState;
import dev.portolan.wiring.TrafficReading;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The counters of one service, or of all of them. */
record TrafficAnswer(
    long revision,
    boolean available,
    Optional<Instant> at,
    List<TrafficReading.OfService> services) {
  /** What {@code reading} has of the service that is asked for. */
  static TrafficAnswer of(Optional<TrafficReading> reading, Query query, ChartState state) {
    String id = query.text("id");
    return new TrafficAnswer(
        state.revision(),
        reading.isPresent(),
        reading.map(TrafficReading::at),
        reading.map(TrafficReading::services).orElse(List.of()).stream()
            .filter(service -> id.isEmpty() || id.equals(service.service().toString()))
            .toList());
  }
}
