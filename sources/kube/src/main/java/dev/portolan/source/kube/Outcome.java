package dev.portolan.source.kube;

import java.io.IOException;

/** What a {@link Phase} came to. */
sealed interface Outcome {
  /** The objects were handed over as of {@code version}. */
  record Synced(String version) implements Outcome {}

  /** The server is at {@code version}. */
  record ServerAt(String version) implements Outcome {}

  /** It is time to ask for an absent resource again. */
  record Waited() implements Outcome {}

  /** The server refused the request or, with {@code inWatch}, ended a watch that was running. */
  record Refused(ApiStatus status, boolean inWatch) implements Outcome {}

  /** The server sent bytes that make no sense. */
  record Garbled() implements Outcome {}

  /** The server was silent for too long. */
  record Silent() implements Outcome {}

  /** There is no connection, or it broke. */
  record Disconnected() implements Outcome {}

  /** The outcome that {@code failure} stands for. */
  static Outcome of(IOException failure) {
    return switch (failure) {
      case RefusedException refused -> new Refused(refused.status(), refused.endedWatch());
      case DecodeException _ -> new Garbled();
      case ReadTimeout.TimedOutException _ -> new Silent();
      default -> new Disconnected();
    };
  }
}
