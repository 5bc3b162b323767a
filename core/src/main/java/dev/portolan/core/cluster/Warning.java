package dev.portolan.core.cluster;

/**
 * Something in the cluster that is not as it should be, and what is done about it.
 *
 * @param object whose fault it is
 * @param field the path of the field, as in {@code spec.externalIPs[1]}; empty for the whole object
 * @param text cause and consequence, one sentence without a full stop
 */
public record Warning(ObjectRef object, String field, String text) implements Comparable<Warning> {
  private static final int LONGEST_QUOTE = 80;

  /** {@code value} in quotes: printable, on one line, and short enough to read. */
  public static String quote(String value) {
    return "'" + printable(value) + "'";
  }

  /** {@code value} cut to a readable length, with anything but printable characters replaced. */
  public static String printable(String value) {
    boolean cut = value.length() > LONGEST_QUOTE;
    StringBuilder text = new StringBuilder(cut ? value.substring(0, LONGEST_QUOTE) : value);
    for (int i = 0; i < text.length(); i++) {
      switch (Character.getType(text.charAt(i))) {
        case Character.CONTROL,
            Character.FORMAT,
            Character.LINE_SEPARATOR,
            Character.PARAGRAPH_SEPARATOR,
            Character.SURROGATE ->
            text.setCharAt(i, '\ufffd');
        default -> {}
      }
    }
    return cut ? text + "… (" + value.length() + " characters)" : text.toString();
  }

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
