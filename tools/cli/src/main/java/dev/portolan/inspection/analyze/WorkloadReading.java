package dev.portolan.inspection.analyze;

import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.FieldPlace;
import dev.portolan.analyze.WorkloadReader;
import dev.portolan.analyze.Workloads;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.options.SourceOptions;
import dev.portolan.options.whole.WholeObjects;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Waiting;
import dev.portolan.text.TextException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What only this command reads: whole Services, Pods and workloads, and the places of fields. */
final class WorkloadReading {
  private static final Resource SERVICES = new Resource("/api/v1", "services", "Service");
  private static final Resource PODS = new Resource("/api/v1", "pods", "Pod");
  private static final List<Resource> WORKLOADS =
      List.of(
          new Resource("/apis/apps/v1", "deployments", "Deployment"),
          new Resource("/apis/apps/v1", "statefulsets", "StatefulSet"),
          new Resource("/apis/apps/v1", "daemonsets", "DaemonSet"));

  private final List<WholeObjects> sources;
  private final String where;
  private final Optional<String> namespace;
  private final Remarks remarks;

  /** Why Pods are not known, where a server said so. */
  private final List<String> refusals = new ArrayList<>();

  /** What an API server lists. */
  private record Resource(String group, String name, String kind) {
    String path(Optional<String> namespace) {
      return group + namespace.map(one -> "/namespaces/" + one).orElse("") + "/" + name;
    }
  }

  /** Reads from the sources that were named; only {@code namespace} where one is given. */
  WorkloadReading(SourceOptions source, Optional<String> namespace, Remarks remarks) {
    this.sources = source.wholeObjects();
    this.where = source.toString();
    this.namespace = namespace;
    this.remarks = remarks;
  }

  /** What is known of Services and Pods. */
  Workloads read() {
    Workloads.Builder known = new Workloads.Builder();
    try (Waiting _ = Waiting.busy(() -> "reading Pods and workloads from " + where, remarks)) {
      for (WholeObjects source : sources) {
        if (source.isWritten()) {
          known.knowsServices();
          written(source).forEach(each -> each.accept(known));
        } else if (source.isServed()) {
          list(source, known);
        }
      }
    }
    return known.build();
  }

  /** Why Pods could not be listed; empty where they were, or where the source has none. */
  List<String> refusals() {
    return refusals;
  }

  /** Whether a source may have Pods at all. */
  boolean canHavePods() {
    return sources.stream().anyMatch(source -> source.isWritten() || source.isServed());
  }

  private static List<Consumer<Workloads.Builder>> written(WholeObjects source) {
    try {
      return source.written(object -> Optional.of(WorkloadReader.read(object)));
    } catch (TextException e) {
      throw CommandFailure.input(e);
    }
  }

  private void list(WholeObjects source, Workloads.Builder known) {
    if (list(source, SERVICES, known).isEmpty()) {
      known.knowsServices();
    }
    Optional<String> refusal = list(source, PODS, known);
    if (refusal.isPresent()) {
      refusals.add(refusal.get());
      return;
    }
    known.hasAllPods();
    List<String> missing =
        WORKLOADS.stream()
            .filter(resource -> list(source, resource, known).isPresent())
            .map(Resource::name)
            .toList();
    if (!missing.isEmpty()) {
      remarks.warn(
          "not allowed to list "
              + String.join(", ", missing)
              + ", so a workload that is scaled to 0 looks like a selector without Pods (P0103)");
    }
  }

  private Optional<String> list(WholeObjects source, Resource resource, Workloads.Builder known) {
    return source.list(
        resource.path(namespace),
        object -> WorkloadReader.read(object, resource.kind).accept(known));
  }

  /** The same findings with the lines of their fields, where manifests have them. */
  List<ClusterFinding> located(List<ClusterFinding> findings) {
    Map<ObjectRef, List<ClusterFinding>> byObject =
        findings.stream().collect(Collectors.groupingBy(ClusterFinding::object));
    Map<ClusterFinding, ClusterFinding.Place> places = new HashMap<>();
    for (WholeObjects source : sources) {
      source
          .written(object -> {
            List<ClusterFinding> its = byObject.getOrDefault(FieldPlace.ref(object), List.of());
            return its.isEmpty()
                ? Optional.empty()
                : Optional.of(
                    its.stream()
                        .map(one -> Map.entry(one, FieldPlace.place(object, one.field())))
                        .toList());
          })
          .forEach(list -> list.forEach(one -> places.putIfAbsent(one.getKey(), one.getValue())));
    }
    return findings.stream()
        .map(finding -> Optional.ofNullable(places.get(finding)).map(finding::at).orElse(finding))
        .toList();
  }
}
