package dev.portolan.core.cluster;

import dev.portolan.core.text.Quotes;

/**
 * Names one object of the cluster for a person: {@code Service shop/cart}, {@code Node worker-1}.
 */
public record ObjectRef(String kind, String name) implements Comparable<ObjectRef> {
  /** Refers to a Service. */
  public static ObjectRef service(NamespacedName name) {
    return new ObjectRef("Service", name.toString());
  }

  /** Refers to an EndpointSlice. */
  public static ObjectRef slice(NamespacedName name) {
    return new ObjectRef("EndpointSlice", name.toString());
  }

  /** Refers to a Node. */
  public static ObjectRef node(String name) {
    return new ObjectRef("Node", name);
  }

  /** Refers to a ServiceCIDR. */
  public static ObjectRef serviceCidr(String name) {
    return new ObjectRef("ServiceCIDR", name);
  }

  @Override
  public int compareTo(ObjectRef other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return kind + " " + Quotes.brief(name);
  }
}
