package dev.portolan.client;

import java.time.Instant;
import java.util.Optional;

/**
 * How the connection to a server fares.
 *
 * @param connectedSince empty while there is none
 * @param lastError why there was none the last time, as a sentence
 */
public record LinkStatus(Optional<Instant> connectedSince, Optional<String> lastError) {
  /** Nothing was tried yet. */
  static final LinkStatus NEW = new LinkStatus(Optional.empty(), Optional.empty());

  LinkStatus up(Instant now) {
    return new LinkStatus(Optional.of(now), lastError);
  }

  LinkStatus down(String sentence) {
    return new LinkStatus(Optional.empty(), Optional.of(sentence));
  }
}
