package dev.portolan.source.kube;

/** Compares resource versions, which are numbers in every known API server. */
final class Versions {
  private Versions() {}

  /** Whether {@code one} is certainly older than {@code other}. */
  static boolean isOlder(String one, String other) {
    if (!isNumber(one) || !isNumber(other)) {
      return false;
    }
    return one.length() != other.length()
        ? one.length() < other.length()
        : one.compareTo(other) < 0;
  }

  private static boolean isNumber(String version) {
    for (int i = 0; i < version.length(); i++) {
      if (version.charAt(i) < '0' || version.charAt(i) > '9') {
        return false;
      }
    }
    return !version.isEmpty();
  }
}
