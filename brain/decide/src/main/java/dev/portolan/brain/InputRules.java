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

  /** Why {@code name} is not a DNS label, and what one is. */
  static String notLabel(String name) {
    return name.length() > 63
        ? "is not a valid name: it has " + name.length() + " characters, and may have 63"
        : "is not a valid name: only small letters, digits and inner '-' are allowed";
  }

  /** A DNS label: up to 63 small letters, digits and inner dashes. */
  public static boolean isLabel(String name) {
    if (name.isEmpty() || name.length() > 63) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean edge = i == 0 || i + 1 == name.length();
      boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!alphanumeric && (c != '-' || edge)) {
        return false;
      }
    }
    return true;
  }
}
