package dev.portolan.core.node;

import java.util.Locale;

/** What becomes of a new connection. */
public enum Verdict {
  /** It goes to one of the chosen endpoints. */
  FORWARD,
  /** It is refused with an answer, because no endpoint exists anywhere. */
  REJECT,
  /** It vanishes without an answer, because the policy leaves no endpoint on this node. */
  DROP,
  /** Nothing of ours matches it. */
  NONE;

  /** The verdict in small letters. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
