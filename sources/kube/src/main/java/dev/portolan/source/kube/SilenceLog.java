package dev.portolan.source.kube;

import dev.portolan.core.error.ErrorCode;
import java.time.Duration;
import java.util.function.Consumer;

/** Says once that a server gives no sign of life any more, and once that it does again. */
final class SilenceLog {
  /** Longer than a watch takes to notice that its connection is dead. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  private final String server;
  private final Consumer<String> log;
  private Duration longest = Duration.ZERO;

  SilenceLog(String server, Consumer<String> log) {
    this.server = server;
    this.log = log;
  }

  /** Takes the length of the current silence; called again and again. */
  void look(Duration silence) {
    boolean before = longest.compareTo(LIMIT) >= 0;
    boolean now = silence.compareTo(LIMIT) >= 0;
    if (now && !before) {
      log.accept(
          ErrorCode.API_SERVER_UNREACHABLE.mark(
              "no sign of life from "
                  + server
                  + " for "
                  + LIMIT.toSeconds()
                  + " s; what is known of the cluster stays in effect"));
    } else if (before && !now) {
      log.accept(
          server + " gives signs of life again, after " + longest.toSeconds() + " s of silence");
    }
    longest = silence;
  }
}
