package dev.portolan.analyze.addresses;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** NodePorts and health-check nodePorts that clash, or lie outside their range. */
public final class NodePorts implements Check {
  private static final KnownMistake CLASH =
      KnownMistake.error("P0404", "a health-check nodePort is taken")
          .seen(
              "the load balancer's health check fails or asks the wrong service, so it sends"
                  + " traffic to no node or to wrong ones")
          .remedy("give one of the two another port")
          .because(
              """
              With externalTrafficPolicy Local a load balancer asks each node at the \
              healthCheckNodePort whether it has a ready endpoint. The proxy listens there itself, \
              with TCP. If another service has the same health-check port, only one can listen; if \
              another service has it as a nodePort, the rules for that come first. The API server \
              allocates these ports so that they do not clash; manifests, and clusters that were put \
              together from backups, may have it.\
              """);

  private static final KnownMistake OUTSIDE =
      KnownMistake.warning("P0405", "a nodePort lies outside the range")
          .seen("an API server refuses the object; firewalls that open the range block the port")
          .remedy("choose a port of the range, or give the real range with --node-port-range")
          .because(
              """
              The API server allocates nodePorts from its --service-node-port-range, 30000-32767 by \
              default. Ports outside may collide with programs of the node, or with the range of \
              local ports that clients use (net.ipv4.ip_local_port_range, from 32768 on). A proxy \
              serves the port all the same.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(CLASH, OUTSIDE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    Map<Integer, String> taken = new HashMap<>();
    for (ServicePlan plan : survey.plans()) {
      for (Service.Port port : plan.draft().service().ports()) {
        if (port.nodePort() != 0 && port.protocol() == Protocol.TCP) {
          taken.putIfAbsent(port.nodePort(), "a nodePort of Service " + plan.draft().name());
        }
      }
    }
    for (ServicePlan plan : survey.plans()) {
      Service service = plan.draft().service();
      for (int i = 0; i < service.ports().size(); i++) {
        int port = service.ports().get(i).nodePort();
        range(survey, service, "spec.ports[" + i + "].nodePort", port, findings);
      }
      int health = plan.draft().healthCheckNodePort();
      if (health != 0) {
        range(survey, service, "spec.healthCheckNodePort", health, findings);
        String other =
            taken.putIfAbsent(health, "the health-check nodePort of Service " + service.name());
        if (other != null) {
          findings.accept(
              CLASH.in(service.ref(), "spec.healthCheckNodePort", health + " is also " + other));
        }
      }
    }
  }

  private static void range(
      Survey survey, Service service, String field, int port, Consumer<ClusterFinding> findings) {
    if (port != 0 && !survey.nodePorts().contains(port)) {
      findings.accept(
          OUTSIDE.in(service.ref(), field, port + " is not in the range " + survey.nodePorts()));
    }
  }
}
