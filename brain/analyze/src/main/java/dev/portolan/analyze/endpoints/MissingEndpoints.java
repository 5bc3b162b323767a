package dev.portolan.analyze.endpoints;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.KnownMistake.Need;
import dev.portolan.analyze.Pod;
import dev.portolan.analyze.Survey;
import dev.portolan.analyze.WholeService;
import dev.portolan.brain.ServicePlan;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.text.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Services without any endpoint, and the reason where it can be known. */
public final class MissingEndpoints implements Check {
  private static final KnownMistake NO_MATCH =
      KnownMistake.error("P0103", "the selector matches no Pod")
          .seen("connections are rejected, and DNS has no address for a headless service")
          .remedy("make spec.selector equal to labels of the Pods' template")
          .needing(Need.PODS)
          .because(
              """
              A service gets its endpoints from the Pods in its own namespace that have all labels \
              of spec.selector. No Pod does, and no Deployment, StatefulSet, DaemonSet, ReplicaSet \
              or Job that is known makes one. The usual causes are a typing mistake, a label that \
              was renamed on one side, a label on the Deployment instead of on its \
              spec.template.metadata, and Pods in another namespace.

              In manifests, namespaces without any Pod or workload are not judged: the workload may \
              be deployed from elsewhere. Nor are services whose Pods an operator seems to make (P0117). \
              Pods that have finished do not count.\
              """);

  private static final KnownMistake OPERATED =
      KnownMistake.info("P0117", "a custom resource may make the Pods that are selected")
          .seen("connections are rejected until there are such Pods")
          .remedy("none needed, if the operator gives its Pods these labels")
          .needing(Need.PODS)
          .because(
              """
              No Pod and no workload that is known has all labels of spec.selector, but an object of \
              a kind that Kubernetes does not have itself, such as Prometheus or Kafka, seems to belong \
              to the service: it has these labels, names the service, or its name is the value of a \
              label of its operator. The operator that reads it probably makes the Pods, which \
              manifests do not show. In a running cluster the Pods are known, and P0103 says so if \
              there are none.\
              """);

  private static final KnownMistake NONE =
      KnownMistake.warning("P0104", "the service has no endpoint")
          .seen("connections are rejected")
          .remedy("scale the workload up, or correct spec.selector; see kubectl get endpointslices")
          .because(
              """
              No EndpointSlice of the service has an endpoint for the port, so connections are \
              rejected. That is intended where a workload is scaled to zero. Otherwise the selector \
              matches no Pod, or no Pod has an address yet, or the EndpointSlice controller (part of \
              kube-controller-manager) does not work.

              A port of one family may be named: a dual-stack service needs slices of both families, \
              and gets them only if the Pods have addresses of both.\
              """);

  private static final KnownMistake NO_SELECTOR =
      KnownMistake.warning("P0105", "no selector, and no EndpointSlice")
          .seen("connections are rejected")
          .remedy(
              "add a spec.selector, or write an EndpointSlice with the label"
                  + " kubernetes.io/service-name")
          .needing(Need.WHOLE_SERVICES)
          .because(
              """
              For a service without a selector Kubernetes makes no EndpointSlices; you, or a \
              controller, must write them, with the label kubernetes.io/service-name and the port's \
              name as in the service. An Endpoints object does it too, as long as the \
              EndpointSlice mirroring controller runs.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(NO_MATCH, OPERATED, NONE, NO_SELECTOR);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    // Manifests that are to be applied have no slices: a controller makes them.
    boolean slicesKnown = !survey.cluster().slices().isEmpty();
    for (ServicePlan plan : survey.plans()) {
      if (plan.draft().service().type() == ServiceType.EXTERNAL_NAME) {
        continue;
      }
      Optional<ClusterFinding> unmatched = unmatched(survey, plan);
      unmatched.ifPresent(findings);
      if (unmatched.isEmpty() && slicesKnown && plan.draft().skipped().isEmpty()) {
        absent(survey, plan).ifPresent(findings);
      }
    }
  }

  private static Optional<ClusterFinding> unmatched(Survey survey, ServicePlan plan) {
    NamespacedName name = plan.draft().name();
    WholeService whole = survey.workloads().service(name).orElse(null);
    boolean hasMembers = survey.slices(name).stream().anyMatch(slice -> !slice.members().isEmpty());
    if (whole == null
        || !whole.hasSelector()
        || hasMembers
        || !survey.workloads().knowsPods(name.namespace())
        || !matching(survey, whole).isEmpty()) {
      return Optional.empty();
    }
    String missing = "no Pod in namespace " + name.namespace() + " has " + words(whole.selector());
    Optional<String> operated =
        survey.workloads().isComplete()
            ? Optional.empty()
            : survey.workloads().mayMakePodsOf(whole);
    return Optional.of(
        operated
            .map(custom ->
                OPERATED.in(
                    plan.draft().service().ref(),
                    "spec.selector",
                    missing + "; an operator may make them of " + custom))
            .orElseGet(() ->
                NO_MATCH.in(
                    plan.draft().service().ref(), "spec.selector", missing + hint(survey, whole))));
  }

  private static Optional<ClusterFinding> absent(Survey survey, ServicePlan plan) {
    List<ServicePlan.PortPlan> concerned = new ArrayList<>();
    for (ServicePlan.PortPlan port : plan.ports()) {
      if (port.candidates().isEmpty()
          && port.draft().passedOver().isEmpty()
          && port.draft().mismatch().isEmpty()) {
        concerned.add(port);
      }
    }
    if (concerned.isEmpty()) {
      return Optional.empty();
    }
    WholeService whole = survey.workloads().service(plan.draft().name()).orElse(null);
    if (whole != null && !whole.hasSelector() && survey.slices(plan.draft().name()).isEmpty()) {
      return Optional.of(
          NO_SELECTOR.in(
              plan.draft().service().ref(),
              "spec.selector",
              "the service has no selector, and no EndpointSlice belongs to it"));
    }
    return Optional.of(
        NONE.in(
            plan.draft().service().ref(),
            "",
            "there is no endpoint" + PortWords.of(plan, concerned) + idle(survey, whole)));
  }

  /** That what it selects is scaled to zero, where that is so. */
  private static String idle(Survey survey, @Nullable WholeService whole) {
    if (whole == null || !whole.hasSelector()) {
      return "";
    }
    List<Pod> pods = matching(survey, whole);
    return !pods.isEmpty() && pods.stream().allMatch(pod -> pod.replicas() == 0)
        ? ": " + pods.getFirst().ref() + " is scaled to 0"
        : "";
  }

  private static List<Pod> matching(Survey survey, WholeService whole) {
    return survey.workloads().pods().matching(whole.name().namespace(), whole.selector());
  }

  /** What the person may have meant. */
  private static String hint(Survey survey, WholeService whole) {
    String namespace = whole.name().namespace();
    Optional<Pod> near = survey.workloads().pods().nearest(namespace, whole.selector());
    if (near.isPresent()) {
      Map<String, String> labels = near.get().labels();
      return whole.selector().entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .filter(label -> !label.getValue().equals(labels.get(label.getKey())))
          .map(label ->
              labels.containsKey(label.getKey())
                  ? label.getKey() + "=" + labels.get(label.getKey())
                  : "no label " + label.getKey())
          .collect(Collectors.joining(", ", "; " + near.get().ref() + " has ", ""));
    }
    return survey
        .workloads()
        .pods()
        .elsewhere(namespace, whole.selector())
        .map(other -> "; Pods in namespace " + other + " have")
        .or(() -> misspelled(survey, whole))
        .orElse("");
  }

  private static Optional<String> misspelled(Survey survey, WholeService whole) {
    return whole.selector().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(label ->
            Spelling.nearest(
                label.getValue(),
                survey.workloads().pods().values(whole.name().namespace(), label.getKey()))
                .filter(value -> !value.equals(label.getValue()))
                .map(value -> "; did you mean " + label.getKey() + "=" + value + "?")
                .stream())
        .findFirst();
  }

  private static String words(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
  }
}
