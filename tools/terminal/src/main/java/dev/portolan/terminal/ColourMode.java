package dev.portolan.terminal;

import java.util.Locale;

/** Whether output has colours. */
public enum ColourMode {
  /** On a terminal that understands them, unless NO_COLOR is set. */
  AUTO,
  ALWAYS,
  NEVER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
