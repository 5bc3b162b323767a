package dev.portolan.brain;

/**
 * Which names and numbers are taken. The API server enforces the same; a folder or another brain
 * does not, and names end up in rules and comments.
 */
public final class InputRules {
  private InputRules() {}

  /** The number of a port that traffic can be sent to. */
  public static boolean isPort(int number) {
    return number >= 1 && number <= 65_535;
  }

  /** A DNS label: up to 63 small letters, digits and inner dashes. */
  public static boolean isLabel(String name) {
    return name.length() <= 63 && isLabels(name, false);
  }

  /** A DNS name: labels with dots between them, up to 253 characters. */
  static boolean isSubdomain(String name) {
    return name.length() <= 253 && isLabels(name, true);
  }

  private static boolean isLabels(String name, boolean dots) {
    if (name.isEmpty()) {
      return false;
    }
    boolean edge = true;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      boolean lastOfLabel = i + 1 == name.length() || name.charAt(i + 1) == '.';
      if (dots && c == '.' && !edge && i + 1 < name.length()) {
        edge = true;
        continue;
      }
      if (!alphanumeric && (c != '-' || edge || lastOfLabel)) {
        return false;
      }
      edge = false;
    }
    return true;
  }
}
