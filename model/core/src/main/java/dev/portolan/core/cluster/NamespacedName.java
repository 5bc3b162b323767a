package dev.portolan.core.cluster;

import org.jspecify.annotations.Nullable;

/** The name of an object that lives in a namespace. */
public record NamespacedName(String namespace, String name) implements Comparable<NamespacedName> {
  @Override
  public int compareTo(NamespacedName other) {
    return namespace.equals(other.namespace)
        ? name.compareTo(other.name)
        : namespace.compareTo(other.namespace);
  }

  /** Written out, like the hash, because every look into a map needs it. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamespacedName it
        && it.name.equals(name)
        && it.namespace.equals(namespace);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }

  /** {@code namespace/name}. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
