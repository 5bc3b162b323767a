package dev.portolan.analyze.policies;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.Protocol;
import java.util.List;
import java.util.function.Consumer;

/** Session affinity that does not do what people expect of it. */
public final class SessionAffinity implements Check {
  private static final int SHORT = 10;
  private static final String FIELD = "spec.sessionAffinity";

  private static final KnownMistake UDP =
      KnownMistake.info("P0505", "session affinity with a UDP port")
          .seen("all datagrams of one client go to one endpoint, for as long as it keeps sending")
          .remedy(
              "use affinity only where UDP clients need it; a resolver or a log collector does"
                  + " not")
          .because(
              """
              UDP has no connections: the kernel takes all datagrams with the same addresses and \
              ports as one flow, and affinity sends the other flows of that client to the same \
              endpoint too. A node that sends logs, metrics or DNS queries for all its Pods is then \
              a single client, whose load stays on one endpoint. It also takes longer until a dead \
              endpoint is left.\
              """);

  private static final KnownMistake PER_NODE =
      KnownMistake.info("P0506", "session affinity for clients outside the cluster")
          .seen(
              "a client that comes through another node may get another endpoint; all clients"
                  + " behind one address get the same")
          .remedy(
              "let the load balancer keep clients on a node, or use the annotation"
                  + " portolan.dev/balancing: maglev-address, which all nodes agree on")
          .because(
              """
              Each node remembers for itself which endpoint a client got. A load balancer in front \
              that sends the client's next connection to another node makes that node choose again. \
              And clients are distinguished by their address alone: behind a NAT, a corporate proxy \
              or a load balancer that replaces addresses, thousands of users are one client and one \
              endpoint gets them all.\
              """);

  private static final KnownMistake SHORT_TIME =
      KnownMistake.info("P0508", "a very short session affinity")
          .seen("clients change their endpoint after a short pause")
          .remedy(
              "set sessionAffinityConfig.clientIP.timeoutSeconds to the length of a session, or"
                  + " remove the affinity")
          .because(
              """
              The time counts from the client's last new connection. With only a few seconds, affinity \
              is over before most clients connect again, while it still costs rules and memory for \
              each client. The default is 10800 seconds, three hours.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(UDP, PER_NODE, SHORT_TIME);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    for (ServicePlan plan : survey.served()) {
      Service service = plan.draft().service();
      if (service.affinitySeconds().isEmpty()) {
        continue;
      }
      service.ports().stream()
          .filter(port -> port.protocol() == Protocol.UDP)
          .findFirst()
          .ifPresent(port ->
              findings.accept(
                  UDP.in(service.ref(), FIELD, "ClientIP, and port " + port.port() + " is UDP")));
      boolean external =
          plan.ports().stream()
              .anyMatch(port -> port.frontend().addresses().getLast().isExternal());
      if (external) {
        findings.accept(
            PER_NODE.in(
                service.ref(),
                FIELD,
                "ClientIP for clients outside: each node keeps its own memory of clients"
                    + (service.externalTrafficPolicy() == TrafficPolicy.CLUSTER
                        ? ", and endpoints do not see their addresses"
                        : "")));
      }
      int seconds = service.affinitySeconds().getAsInt();
      if (seconds > 0 && seconds < SHORT) {
        findings.accept(
            SHORT_TIME.in(
                service.ref(),
                "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                "affinity ends after " + seconds + " s"));
      }
    }
  }
}
