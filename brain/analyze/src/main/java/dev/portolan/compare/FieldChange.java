package dev.portolan.compare;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.text.Quotes;
import dev.portolan.core.text.Tree;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One field of an object that differs between two states of a cluster.
 *
 * @param field as in the object: {@code spec.externalTrafficPolicy}, {@code
 *     endpoints[10.244.3.9].conditions.ready}; empty for the whole object
 * @param before as the object writes it; empty where it was not there
 * @param after the same, now; {@value #CREATED} or {@value #DELETED} for the whole object
 */
@Tree.Fields("object field before after")
public record FieldChange(ObjectRef object, String field, String before, String after) {
  /** The value after the change of an object that is new. */
  public static final String CREATED = "created";

  /** The value after the change of an object that is gone. */
  public static final String DELETED = "deleted";

  private static final String CREATION = "metadata.creationTimestamp";

  /** What decisions depend on, of all that is written beside the spec of a Service. */
  private static final Set<String> DECISIVE =
      Stream.concat(
              Stream.of(Service.PROXY_NAME_LABEL, Service.HEADLESS_LABEL)
                  .map(label -> "metadata.labels[" + label + "]"),
              Arrays.stream(ServiceAnnotation.values()).map(ServiceAnnotation::field))
          .collect(Collectors.toSet());

  /** That the whole object is new. */
  public static FieldChange created(ObjectRef object) {
    return new FieldChange(object, "", "", CREATED);
  }

  /** That the whole object is gone. */
  public static FieldChange deleted(ObjectRef object) {
    return new FieldChange(object, "", "", DELETED);
  }

  /** Whether it is about the object rather than a field of it. */
  public boolean ofWholeObject() {
    return field.isEmpty();
  }

  /** Whether what is decided about a service may differ because of this change of it. */
  boolean isDecisive() {
    return !field.startsWith("metadata.") || DECISIVE.contains(field);
  }

  /** Whether it may where others claim an address of the service: the older one wins. */
  boolean isDecisiveAmongClaims() {
    return isDecisive() || field.equals(CREATION);
  }

  /** Without the object: {@code spec.type: ClusterIP -> NodePort}, or {@code created}. */
  public String text() {
    if (ofWholeObject()) {
      return after;
    }
    String name = Quotes.printable(field);
    if (name.endsWith("]") && before.isEmpty()) {
      return name + " added: " + Quotes.brief(after);
    }
    if (name.endsWith("]") && after.isEmpty()) {
      return name + " removed: " + Quotes.brief(before);
    }
    return name + ": " + shown(before) + " -> " + shown(after);
  }

  /** With the object: {@code Service shop/web: spec.type: ClusterIP -> NodePort}. */
  @Override
  public String toString() {
    return object + (ofWholeObject() ? " " : ": ") + text();
  }

  private static String shown(String value) {
    return value.isEmpty() ? "(none)" : Quotes.brief(value);
  }
}
