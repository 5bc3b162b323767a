package dev.portolan.takeover;

/** A number with its noun. */
final class Counted {
  private Counted() {}

  /** Such as {@code 1 chain}, {@code 2 chains}. */
  static String of(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
