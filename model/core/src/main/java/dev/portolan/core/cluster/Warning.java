package dev.portolan.core.cluster;

/**
 * Something in the cluster that is not as it should be, and what is done about it.
 *
 * @param object whose fault it is
 * @param field the path of the field, as in {@code spec.externalIPs[1]}; empty for the whole object
 * @param text cause and consequence, one sentence without a full stop
 */
public record Warning(ObjectRef object, String field, String text) implements Comparable<Warning> {
  @Override
  public int compareTo(Warning other) {
    int byObject = object.compareTo(other.object);
    if (byObject != 0) {
      return byObject;
    }
    int byField = field.compareTo(other.field);
    return byField != 0 ? byField : text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return object + ": " + (field.isEmpty() ? "" : field + ": ") + text;
  }
}
