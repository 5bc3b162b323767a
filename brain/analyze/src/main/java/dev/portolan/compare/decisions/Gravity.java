package dev.portolan.compare.decisions;

import java.util.Locale;

/** How much a difference matters to clients, the worst first. */
public enum Gravity {
  /** Connections fail that did not. */
  BREAKS,
  /** Connections succeed that did not. */
  MENDS,
  /** Connections go to other endpoints. */
  MOVES,
  /** Something else, such as affinity. */
  ADJUSTS;

  /** The word in small letters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
