package dev.portolan.doctor;

import java.util.Locale;

/** How a check came out. */
public enum CheckStatus {
  OK,
  /** It works, or may work, but something should be looked at. */
  WARN,
  /** Something does not work, or will not. */
  FAIL,
  /** It could not be found out. */
  UNKNOWN;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
