package dev.portolan.text.syntax;

import java.util.Optional;

/** Truths as Go's {@code strconv.ParseBool} reads them. */
public final class GoTruth {
  private GoTruth() {}

  /** The truth that {@code text} is, if it is one. */
  public static Optional<Boolean> parse(String text) {
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> Optional.of(true);
      case "0", "f", "F", "false", "FALSE", "False" -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}
