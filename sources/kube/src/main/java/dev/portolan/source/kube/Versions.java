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
    return !version.isEmpty() && version.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
