package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Survey;
import dev.portolan.brain.ServiceDraft.PassedOver;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.node.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** Endpoints that the slices of a service have more than once. */
public final class DuplicateEndpoints implements Check {
  private static final KnownMistake DUPLICATE =
      KnownMistake.info("P0108", "an endpoint is in the slices of a service twice")
          .seen("it is counted once")
          .remedy(
              "delete the slice that is too much; often it was written by hand or by a second"
                  + " controller")
          .because(
              """
              The same address and port is in two slices of one service, or twice in one. A proxy \
              counts it once: an endpoint that stays wins over one that is terminating, and a ready \
              one over one that is not. While the EndpointSlice controller moves endpoints between \
              slices this happens for a moment. If it lasts, somebody else writes slices with the \
              same label kubernetes.io/service-name. Where one says that the endpoint is ready and the \
              other that it is not, the finding says so: Portolan takes the ready one, kube-proxy \
              either of them by chance, and perhaps not the same on every node.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(DUPLICATE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    for (ServicePlan plan : survey.served()) {
      Set<PassedOver> said = new HashSet<>();
      for (ServicePlan.PortPlan port : plan.ports()) {
        for (PassedOver passed : port.draft().passedOver()) {
          PassedOver once =
              new PassedOver(passed.slice(), passed.index(), passed.address(), 0, passed.reason());
          if (passed.reason() == Reason.DUPLICATE && said.add(once)) {
            findings.accept(
                DUPLICATE.in(
                    ObjectRef.slice(passed.slice()),
                    "endpoints[" + passed.index() + "].addresses",
                    passed.address()
                        + " is in the slices of Service "
                        + plan.draft().name()
                        + " more than once"
                        + contradiction(survey, port, passed)));
          }
        }
      }
    }
  }

  /** That the place that counts says something else of the endpoint, where it does. */
  private static String contradiction(Survey survey, ServicePlan.PortPlan port, PassedOver passed) {
    EndpointSlice slice =
        Objects.requireNonNull(survey.cluster().slices().get(passed.slice()), "just read");
    String here = words(slice.members().get(passed.index()).conditions());
    return port.candidates().stream()
        .filter(one -> one.endpoint().address().toString().equals(passed.address()))
        .filter(one -> one.endpoint().port() == passed.port())
        .filter(one -> !words(one.conditions()).equals(here))
        .findFirst()
        .map(one ->
            ": here it is "
                + here
                + ", in "
                + ObjectRef.slice(one.slice())
                + " it is "
                + words(one.conditions()))
        .orElse("");
  }

  private static String words(Conditions conditions) {
    return conditions.terminating() ? "terminating" : conditions.ready() ? "ready" : "not ready";
  }
}
