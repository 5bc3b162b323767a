package dev.portolan.inspection.audit;

import dev.portolan.audit.AuditDifference;
import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.ServiceDraft;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServiceAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where objects contradict each other, so that the choice of a kube-proxy is random: it reads them
 * in another order each time that it starts.
 */
final class ContestedPlaces {
  private final Set<String> places = new HashSet<>();
  private final Set<String> nodePorts = new HashSet<>();
  private final Set<String> services = new HashSet<>();

  /** Those in a cluster for which {@code decision} was made. */
  ContestedPlaces(ClusterDecision decision) {
    decision
        .plans()
        .forEach((name, plan) -> {
          Set<ServiceAddress> held =
              plan.ports().stream()
                  .flatMap(port -> port.frontend().addresses().stream())
                  .collect(Collectors.toSet());
          for (ServiceDraft.Port port : plan.draft().ports()) {
            String protocol = "/" + port.frontend().name().protocol();
            for (ServiceAddress address : port.frontend().addresses()) {
              if (!held.contains(address)) {
                (address.isNodePort() ? nodePorts : places)
                    .add(
                        address.isNodePort()
                            ? address.port() + protocol
                            : address.address().withPort(address.port()) + protocol);
              }
            }
          }
          if (hasDuplicates(plan)) {
            services.add(name.toString());
          }
        });
  }

  private static boolean hasDuplicates(ServicePlan plan) {
    return plan.ports().stream()
        .flatMap(port -> port.draft().passedOver().stream())
        .anyMatch(passed -> passed.reason() == Reason.DUPLICATE);
  }

  /** Whether a kube-proxy without any fault may differ like this. */
  boolean explain(AuditDifference difference) {
    String place = difference.place();
    return places.contains(place)
        || nodePorts.contains(place.substring(place.lastIndexOf(':') + 1))
        || services.contains(difference.service().split(":", 2)[0]);
  }
}
