package dev.portolan.analyze;

import dev.portolan.core.cluster.NamespacedName;
import java.util.Map;
import java.util.Set;

/**
 * An object of a kind that Kubernetes does not have itself. An operator may make Pods of it.
 *
 * @param group of its {@code apiVersion}
 * @param labels its own, and those that it asks for at its Pods
 * @param serviceName the Service that it names for its Pods; empty without one
 */
record CustomResource(
    String group,
    String kind,
    NamespacedName name,
    Map<String, String> labels,
    String serviceName) {
  /** API groups of Kubernetes itself. */
  private static final Set<String> BUILT_IN =
      Set.of(
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "apiregistration.k8s.io",
          "certificates.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io",
          "events.k8s.io",
          "flowcontrol.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "rbac.authorization.k8s.io",
          "resource.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io");

  /** These only look at Pods, and usually have the labels of the Service that they belong to. */
  private static final Set<String> WATCHING =
      Set.of("PodMonitor", "Probe", "PrometheusRule", "ScrapeConfig", "ServiceMonitor");

  CustomResource {
    labels = Map.copyOf(labels);
  }

  /** Whether Pods may be made of objects of that kind, by a program that is not known here. */
  static boolean canMakePods(String group, String kind) {
    return group.contains(".") && !BUILT_IN.contains(group) && !WATCHING.contains(kind);
  }

  /**
   * Whether {@code service} seems to be for Pods that are made of this: it names the service, has
   * all labels that are selected, or one of them is of its operator's domain and has its name.
   */
  boolean mayServe(WholeService service) {
    return service.name().namespace().equals(name.namespace())
        && (service.name().name().equals(serviceName)
            || labels.entrySet().containsAll(service.selector().entrySet())
            || service.selector().entrySet().stream()
                .anyMatch(
                    label -> label.getValue().equals(name.name()) && isOfDomain(label.getKey())));
  }

  private boolean isOfDomain(String label) {
    int slash = label.indexOf('/');
    String domain = label.substring(0, Math.max(slash, 0));
    return domain.contains(".") && (group.equals(domain) || group.endsWith("." + domain));
  }
}
