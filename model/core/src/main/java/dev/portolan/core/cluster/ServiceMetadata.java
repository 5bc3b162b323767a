package dev.portolan.core.cluster;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Labels and annotations of a Service. The brain reads only the annotations of {@link #ours}; other
 * proxies may read all.
 */
public record ServiceMetadata(Map<String, String> labels, Map<String, String> annotations) {
  /** No labels and no annotations, or none that were kept. */
  public static final ServiceMetadata NONE = new ServiceMetadata(Map.of(), Map.of());

  /** The whole object once more, written by kubectl for itself. */
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private static final List<String> OURS = ServiceAnnotation.keys();

  public ServiceMetadata {
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
  }

  /** All of these but what kubectl keeps for itself. */
  public static ServiceMetadata of(Map<String, String> labels, Map<String, String> annotations) {
    TreeMap<String, String> kept = new TreeMap<>(annotations);
    kept.remove(LAST_APPLIED);
    return labels.isEmpty() && kept.isEmpty() ? NONE : new ServiceMetadata(labels, kept);
  }

  /** The annotations that the brain reads, and nothing else. */
  public ServiceMetadata ours() {
    Map<String, String> read = new TreeMap<>(annotations);
    read.keySet().retainAll(OURS);
    return of(Map.of(), read);
  }

  /** Whether endpoints are to see the service's own address as the destination of packets. */
  public boolean preservesDestination() {
    return ServiceAnnotation.PRESERVE_DESTINATION.in(this).equals("true");
  }

  /** Whether there is neither. */
  public boolean isEmpty() {
    return labels.isEmpty() && annotations.isEmpty();
  }
}
