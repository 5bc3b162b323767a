package dev.portolan.analyze;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.net.Protocol;
import java.util.List;
import java.util.Map;

/**
 * A Pod, or the template from which a Deployment or the like makes Pods.
 *
 * @param kind of the object: Pod, Deployment, StatefulSet, …
 * @param ports what its containers declare
 * @param ips the addresses that it has; none of a template
 * @param replicas how many Pods a template asks for; 1 for a Pod
 * @param finished whether all its containers ended for good
 */
public record Pod(
    String kind,
    NamespacedName name,
    Map<String, String> labels,
    List<Port> ports,
    List<String> ips,
    int replicas,
    boolean ready,
    boolean leaving,
    boolean finished) {
  /** A port that a container declares; the name may be empty. */
  public record Port(String name, Protocol protocol, int number) {
    @Override
    public String toString() {
      return (name.isEmpty() ? "" : name + " ") + number + "/" + protocol;
    }
  }

  public Pod {
    labels = Map.copyOf(labels);
    ports = List.copyOf(ports);
    ips = List.copyOf(ips);
  }

  /** Whether this is a Pod itself, and not what makes some. */
  public boolean isReal() {
    return kind.equals("Pod");
  }

  /** Refers to the object. */
  public ObjectRef ref() {
    return new ObjectRef(kind, name.toString());
  }
}
