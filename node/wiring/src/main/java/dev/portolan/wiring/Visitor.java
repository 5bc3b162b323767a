package dev.portolan.wiring;

import java.util.Arrays;
import java.util.Locale;

/** Commands that look at a node once or for a person, and do not report what they apply. */
public enum Visitor {
  SHOW,
  RUN,
  WATCH,
  AUDIT;

  /** Whether a client of this name is one of them. */
  public static boolean is(String client) {
    return Arrays.stream(values()).anyMatch(visitor -> visitor.toString().equals(client));
  }

  /** What the command calls itself to a brain. */
  @Override
  public String toString() {
    return "portolan " + name().toLowerCase(Locale.ROOT);
  }
}
