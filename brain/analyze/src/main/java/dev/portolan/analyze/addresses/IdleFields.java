package dev.portolan.analyze.addresses;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Fields that do nothing for a service of its type. */
public final class IdleFields implements Check {
  private static final KnownMistake IDLE =
      KnownMistake.warning("P0406", "fields without effect")
          .seen("what the field asks for does not happen")
          .remedy("remove the field, or change the service's type")
          .because(
              """
              A headless service (clusterIP None) and one of type ExternalName exist in DNS only: \
              clients get addresses or a name and connect by themselves. No proxy is on the way, so \
              nodePorts, external IPs, session affinity, traffic policies and load balancers do not \
              work for them. A service of type ClusterIP has no nodePorts and no health-check port; \
              health checks need type LoadBalancer and externalTrafficPolicy Local.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(IDLE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    survey
        .cluster()
        .services()
        .forEach((name, service) -> {
          String kind = kind(service);
          for (String field : kind.isEmpty() ? idle(service) : unused(service)) {
            findings.accept(
                IDLE.in(
                    service.ref(),
                    field,
                    "has no effect "
                        + (!kind.isEmpty()
                            ? "on " + kind
                            : service.type() == ServiceType.CLUSTER_IP
                                ? "on a service of type ClusterIP"
                                : "without type LoadBalancer and externalTrafficPolicy Local")));
          }
        });
  }

  /** What keeps a proxy away from the service, or nothing. */
  private static String kind(Service service) {
    if (service.type() == ServiceType.EXTERNAL_NAME) {
      return "a service of type ExternalName";
    }
    boolean headless =
        !service.clusterIps().isEmpty() && service.clusterIps().getFirst().equals("None");
    return headless ? "a headless service" : "";
  }

  private static List<String> unused(Service service) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < service.ports().size(); i++) {
      if (service.ports().get(i).nodePort() != 0) {
        fields.add("spec.ports[" + i + "].nodePort");
      }
    }
    if (!service.externalIps().isEmpty()) {
      fields.add("spec.externalIPs");
    }
    if (service.affinitySeconds().isPresent()) {
      fields.add("spec.sessionAffinity");
    }
    if (service.internalTrafficPolicy() == TrafficPolicy.LOCAL) {
      fields.add("spec.internalTrafficPolicy");
    }
    if (service.externalTrafficPolicy() == TrafficPolicy.LOCAL) {
      fields.add("spec.externalTrafficPolicy");
    }
    if (service.type() == ServiceType.LOAD_BALANCER || service.type() == ServiceType.NODE_PORT) {
      fields.add("spec.type");
    }
    return fields;
  }

  private static List<String> idle(Service service) {
    List<String> fields = new ArrayList<>();
    boolean external = service.type() != ServiceType.CLUSTER_IP || !service.externalIps().isEmpty();
    if (service.externalTrafficPolicy() == TrafficPolicy.LOCAL && !external) {
      fields.add("spec.externalTrafficPolicy");
    }
    if (service.healthCheckNodePort() != 0
        && (service.type() != ServiceType.LOAD_BALANCER
            || service.externalTrafficPolicy() != TrafficPolicy.LOCAL)) {
      fields.add("spec.healthCheckNodePort");
    }
    return fields;
  }
}
