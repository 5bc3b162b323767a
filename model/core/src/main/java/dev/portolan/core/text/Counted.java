package dev.portolan.core.text;

/** A number with its noun. */
public final class Counted {
  private Counted() {}

  /** Such as {@code 1 chain}, {@code 2 chains}. */
  public static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
