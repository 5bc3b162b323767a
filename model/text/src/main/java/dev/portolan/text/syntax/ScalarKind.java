package dev.portolan.text.syntax;

import java.util.Set;
import java.util.regex.Pattern;

/** What a plain scalar is; the words for truths are those of YAML 1.1, as Kubernetes reads them. */
public enum ScalarKind {
  NULL("the null"),
  TRUTH("the truth"),
  INTEGER("the number"),
  FRACTION("the number"),
  TEXT("the text");

  private static final Pattern WHOLE = Pattern.compile("[-+]?(0|[1-9][0-9]*)");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?");
  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF");

  private final String label;

  ScalarKind(String label) {
    this.label = label;
  }

  /** The kind of plain text. */
  public static ScalarKind of(String text) {
    if (NULLS.contains(text)) {
      return NULL;
    }
    if (TRUE.contains(text) || FALSE.contains(text)) {
      return TRUTH;
    }
    if (WHOLE.matcher(text).matches()) {
      return INTEGER;
    }
    return DECIMAL.matcher(text).matches() ? FRACTION : TEXT;
  }

  /** Whether the word for a truth means true. */
  public static boolean isTrue(String text) {
    return TRUE.contains(text);
  }

  /** The kind for a sentence. */
  public String label() {
    return label;
  }
}
