package dev.portolan.source.kube;

import dev.portolan.source.kube.wire.ApiStatus;
import dev.portolan.source.kube.wire.DecodeException;
import dev.portolan.source.kube.wire.ReadTimeout;
import java.io.IOException;

/** What a {@link Phase} came to. */
sealed interface WatchOutcome {
  /** The objects were handed over as of {@code version}. */
  record Synced(String version) implements WatchOutcome {}

  /** The server is at {@code version}. */
  record ServerAt(String version) implements WatchOutcome {}

  /** It is time to ask for an absent resource again. */
  record Waited() implements WatchOutcome {}

  /** The server refused the request or, with {@code inWatch}, ended a watch that was running. */
  record Refused(ApiStatus status, boolean inWatch) implements WatchOutcome {}

  /** The server sent bytes that make no sense, or that something of ours fails at. */
  record Garbled() implements WatchOutcome {}

  /** The server was silent for too long. */
  record Silent() implements WatchOutcome {}

  /** There is no connection, or it broke. */
  record Disconnected() implements WatchOutcome {}

  /** The outcome that {@code failure} stands for. */
  static WatchOutcome of(IOException failure) {
    return switch (failure) {
      case RefusedException refused -> new Refused(refused.status(), refused.endedWatch());
      case DecodeException _ -> new Garbled();
      case ReadTimeout.TimedOutException _ -> new Silent();
      default -> new Disconnected();
    };
  }
}
