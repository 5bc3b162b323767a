package dev.portolan.client;

import java.time.Instant;
import java.util.Optional;

/**
 * How the connection to a server fares.
 *
 * @param connectedSince empty while there is none
 * @param lastError why there was none the last time, as a sentence
 */
public record Link(Optional<Instant> connectedSince, Optional<String> lastError) {
  /** Nothing was tried yet. */
  static final Link NEW = new Link(Optional.empty(), Optional.empty());

  Link up(Instant now) {
    return new Link(Optional.of(now), lastError);
  }

  Link down(String sentence) {
    return new Link(Optional.empty(), Optional.of(sentence));
  }
}
