package dev.portolan.conntrack;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Which TCP flows to endpoints that stopped serving end. UDP flows to them always do. */
public enum TcpCleaning {
  /** None, as in kube-proxy: TCP notices by itself when an endpoint does not answer. */
  NEVER,
  /**
   * Those that were never answered: the client's next attempt goes to another endpoint. Connections
   * that a leaving endpoint still serves live on.
   */
  UNREPLIED,
  /** All: clients notice immediately, and connections that are being drained break. */
  ALL;

  /** Reads a word; {@code true} and {@code false} stand for all and never. */
  public static Optional<TcpCleaning> parse(String word) {
    return switch (word) {
      case "true" -> Optional.of(ALL);
      case "false" -> Optional.of(NEVER);
      default -> Arrays.stream(values()).filter(one -> one.toString().equals(word)).findFirst();
    };
  }

  /** The word that options use. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
