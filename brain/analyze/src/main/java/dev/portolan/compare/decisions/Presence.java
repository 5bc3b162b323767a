package dev.portolan.compare.decisions;

import java.util.Locale;

/** On which sides of a comparison something is. */
public enum Presence {
  /** Only after. */
  ADDED,
  /** Only before. */
  REMOVED,
  /** On both. */
  CHANGED;

  /** The word in small letters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
