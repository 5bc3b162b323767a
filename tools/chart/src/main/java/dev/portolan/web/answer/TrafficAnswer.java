package dev.portolan.web.answer;

import dev.portolan.web.state.ChartState;
import dev.portolan.wiring.TrafficReading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The counters of one service, or of all of them. */
final class TrafficAnswer {
  private TrafficAnswer() {}

  /** What {@code reading} has of the service that is asked for. */
  static Map<String, Object> of(Optional<TrafficReading> reading, Query query, ChartState state) {
    String id = query.text("id");
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("revision", state.revision());
    tree.put("available", reading.isPresent());
    tree.put("at", reading.map(it -> it.at().toString()).orElse(""));
    tree.put(
        "services",
        reading.map(TrafficReading::services).orElse(List.of()).stream()
            .filter(service -> id.isEmpty() || id.equals(service.service().toString()))
            .map(TrafficAnswer::service)
            .toList());
    return tree;
  }

  private static Map<String, Object> service(TrafficReading.OfService service) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", service.service().toString());
    tree.put("ports", service.ports().stream().map(TrafficAnswer::port).toList());
    return tree;
  }

  private static Map<String, Object> port(TrafficReading.OfPort port) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("port", port.port());
    tree.put("connections", port.connections());
    tree.put("refused", port.refused());
    tree.put("dropped", port.dropped());
    return tree;
  }
}
