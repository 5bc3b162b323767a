package dev.portolan.core.cluster;

/** The name of an object that lives in a namespace. */
public record NamespacedName(String namespace, String name) implements Comparable<NamespacedName> {
  @Override
  public int compareTo(NamespacedName other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /** {@code namespace/name}. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
