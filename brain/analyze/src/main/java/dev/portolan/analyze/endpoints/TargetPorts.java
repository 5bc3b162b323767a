package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.Pod;
import dev.portolan.analyze.Survey;
import dev.portolan.analyze.WholeService;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.text.Counted;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Target ports that Pods do not have. */
public final class TargetPorts implements Check {
  private static final int MOST_PORTS = 4;

  private static final KnownMistake NO_SUCH_NAME =
      KnownMistake.error("P0401", "no Pod has a port of the targetPort's name")
          .seen("connections to this port are rejected")
          .remedy("give the container's port that name, or write its number as targetPort")
          .needing(Need.PODS)
          .because(
              """
              A targetPort that is a word is looked up among the names of containers' ports, with \
              the protocol of the service's port. No Pod that the service selects declares one, so \
              the EndpointSlice has no such port and connections are rejected, although the Pods run \
              and are ready. Names are compared letter by letter; "http" and "web" are different, \
              and so are 53/UDP and 53/TCP.\
              """);

  private static final KnownMistake NOT_EVERYWHERE =
      KnownMistake.warning("P0402", "some Pods lack a port of the targetPort's name")
          .seen("these Pods get no traffic for this port")
          .remedy("give all Pods that are selected a port of that name, or narrow the selector")
          .needing(Need.PODS)
          .because(
              """
              The service selects Pods of several kinds, and only some of them declare a port of the \
              targetPort's name. The others are endpoints of the service's other ports, if any, but \
              not of this one. Often the selector is too wide: it also matches a job, a canary or an \
              older version.\
              """);

  private static final KnownMistake UNDECLARED =
      KnownMistake.info("P0403", "no container declares the targetPort's number")
          .seen("connections are refused, if the container really does not listen there")
          .remedy("compare targetPort with the port that the program listens on")
          .needing(Need.PODS)
          .because(
              """
              The containers declare ports, but not the number that the service sends connections \
              to. A declaration is not needed: a container may listen on any port. But where some \
              are declared and this one is not, the number is often wrong, for example the service's \
              own port in place of the container's. Pods that declare no port at all are not \
              mentioned.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(NO_SUCH_NAME, NOT_EVERYWHERE, UNDECLARED);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    survey
        .cluster()
        .services()
        .forEach((name, service) -> {
          WholeService whole = survey.workloads().service(name).orElse(null);
          if (whole != null
              && whole.hasSelector()
              && service.type() != ServiceType.EXTERNAL_NAME
              && whole.targets().size() == service.ports().size()) {
            List<Pod> pods = survey.workloads().pods().matching(name.namespace(), whole.selector());
            if (!pods.isEmpty()) {
              look(service, whole, pods, findings);
            }
          }
        });
  }

  private static void look(
      Service service, WholeService whole, List<Pod> pods, Consumer<ClusterFinding> findings) {
    for (int i = 0; i < whole.targets().size(); i++) {
      WholeService.Target target = whole.targets().get(i);
      Service.Port port = service.ports().get(i);
      String field = "spec.ports[" + i + "].targetPort";
      if (target.word().isEmpty()) {
        Predicate<Pod.Port> same =
            one -> one.number() == target.number() && one.protocol() == port.protocol();
        if (count(pods, same) == 0 && pods.stream().anyMatch(pod -> !pod.ports().isEmpty())) {
          findings.accept(
              UNDECLARED.in(
                  service.ref(),
                  field,
                  "no container declares "
                      + target.number()
                      + "/"
                      + port.protocol()
                      + "; they have "
                      + ports(pods)));
        }
        continue;
      }
      long having =
          count(pods, one -> one.name().equals(target.word()) && one.protocol() == port.protocol());
      if (having == 0) {
        findings.accept(
            NO_SUCH_NAME.in(
                service.ref(),
                field,
                "no Pod that is selected has a "
                    + port.protocol()
                    + " port called "
                    + target.word()
                    + "; "
                    + (ports(pods).isEmpty() ? "they declare none" : "they have " + ports(pods))));
      } else if (having < pods.size()) {
        Pod without =
            pods.stream()
                .filter(pod -> pod.ports().stream().noneMatch(p -> p.name().equals(target.word())))
                .findFirst()
                .orElse(pods.getFirst());
        findings.accept(
            NOT_EVERYWHERE.in(
                service.ref(),
                field,
                "only "
                    + having
                    + " of "
                    + Counted.of(pods.size(), "Pod")
                    + " that are selected "
                    + (having == 1 ? "has a " : "have a ")
                    + port.protocol()
                    + " port called "
                    + target.word()
                    + "; "
                    + without.ref()
                    + " has not"));
      }
    }
  }

  private static long count(List<Pod> pods, Predicate<Pod.Port> port) {
    return pods.stream().filter(pod -> pod.ports().stream().anyMatch(port)).count();
  }

  private static String ports(List<Pod> pods) {
    TreeSet<String> all = new TreeSet<>();
    pods.forEach(pod -> pod.ports().forEach(port -> all.add(port.toString())));
    return String.join(", ", all.stream().limit(MOST_PORTS).toList())
        + (all.size() > MOST_PORTS ? ", …" : "");
  }
}
