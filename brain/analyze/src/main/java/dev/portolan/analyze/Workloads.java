package dev.portolan.analyze;

import dev.portolan.core.cluster.NamespacedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is known of Services and Pods beyond what a proxy reads. */
public final class Workloads {
  private final Map<NamespacedName, WholeService> services;
  private final PodIndex pods;
  private final List<CustomResource> customs;
  private final Set<String> written;
  private final boolean complete;
  private final boolean servicesKnown;

  private Workloads(Builder from) {
    services = Map.copyOf(from.services);
    pods = new PodIndex(from.pods);
    customs = List.copyOf(from.customs);
    written = Set.copyOf(from.written);
    complete = from.complete;
    servicesKnown = from.servicesKnown;
  }

  /** Nothing is known. */
  public static Workloads unknown() {
    return new Builder().build();
  }

  /** All fields of a service, where they are known. */
  public Optional<WholeService> service(NamespacedName name) {
    return Optional.ofNullable(services.get(name));
  }

  /** The Pods and templates. */
  public PodIndex pods() {
    return pods;
  }

  /**
   * A custom resource of which an operator may make the Pods of {@code service}, if there is one.
   */
  public Optional<String> mayMakePodsOf(WholeService service) {
    return customs.stream()
        .filter(custom -> custom.mayServe(service))
        .map(custom -> custom.kind() + " " + custom.name())
        .sorted()
        .findFirst();
  }

  /**
   * Whether it can be said that a namespace has no Pod of some kind: an API server listed them all,
   * or manifests have some in that namespace.
   */
  public boolean knowsPods(String namespace) {
    return complete || written.contains(namespace);
  }

  /** Whether an API server listed every Pod, as it is now. */
  public boolean isComplete() {
    return complete;
  }

  /** Whether {@code need} is met in at least a part of the cluster. */
  public boolean knows(KnownMistake.Need need) {
    return switch (need) {
      case NOTHING -> true;
      case WHOLE_SERVICES -> servicesKnown;
      case PODS -> servicesKnown && (complete || !written.isEmpty());
    };
  }

  /** Collects what is known. */
  public static final class Builder {
    private final Map<NamespacedName, WholeService> services = new HashMap<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<CustomResource> customs = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    private boolean complete;
    private boolean servicesKnown;

    /** Adds a service; of two with one name the first counts. */
    public void add(WholeService service) {
      services.putIfAbsent(service.name(), service);
    }

    /** Adds a Pod or template; of two with one name the first counts. */
    public void add(Pod pod) {
      if (seen.add(pod.ref().toString())) {
        pods.add(pod);
        written.add(pod.name().namespace());
      }
    }

    /** Adds an object of an unknown kind. */
    void add(CustomResource custom) {
      customs.add(custom);
    }

    /** Says that services are read with all their fields. */
    public void knowsServices() {
      servicesKnown = true;
    }

    /** Says that all Pods of an API server were added. */
    public void hasAllPods() {
      complete = true;
    }

    /** What was collected. */
    public Workloads build() {
      return new Workloads(this);
    }
  }
}
