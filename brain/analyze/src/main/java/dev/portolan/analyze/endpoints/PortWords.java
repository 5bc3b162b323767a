package dev.portolan.analyze.endpoints;

import dev.portolan.brain.ServicePlan;
import java.util.List;
import java.util.stream.Collectors;

/** Which ports of a service a finding is about. */
final class PortWords {
  private PortWords() {}

  /** Nothing where it is all of them, otherwise {@code " for port http"} or the like. */
  static String of(ServicePlan plan, List<ServicePlan.PortPlan> concerned) {
    if (concerned.size() == plan.ports().size()) {
      return "";
    }
    boolean families =
        plan.ports().stream().map(port -> port.frontend().family()).distinct().count() > 1;
    return " for port "
        + concerned.stream()
            .map(port ->
                (port.frontend().name().port().isEmpty()
                        ? String.valueOf(port.frontend().addresses().getFirst().port())
                        : port.frontend().name().port())
                    + (families ? " (" + port.frontend().family() + ")" : ""))
            .collect(Collectors.joining(", "));
  }
}
