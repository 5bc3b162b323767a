package dev.portolan.daemon.outlet;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.server.ListenException;
import dev.portolan.telemetry.log.Log;
import java.time.Duration;

/**
 * Opens in the background what is to be served, so that the first sync does not wait for it; what
 * cannot be opened is retried, and keeps nothing else from working.
 */
final class Opening implements AutoCloseable {
  private static final Duration RETRY = Duration.ofSeconds(10);

  private final Thread thread;

  private Opening(Thread thread) {
    this.thread = thread;
  }

  /**
   * Starts to try.
   *
   * @param complaint what the log says where it cannot be opened
   * @param open opens it, or throws a {@link ListenException}
   */
  static Opening start(String name, String complaint, Log log, Runnable open) {
    return new Opening(
        Threads.platform(name).lasting().start(() -> keepTrying(complaint, log, open)));
  }

  private static void keepTrying(String complaint, Log log, Runnable open) {
    String problem = "";
    while (true) {
      try {
        open.run();
        return;
      } catch (ListenException e) {
        String cause = String.valueOf(e.getMessage());
        if (!cause.equals(problem)) {
          log.error(complaint, "code", ErrorCode.LISTEN, "cause", cause, "retry", RETRY);
          problem = cause;
        }
      }
      try {
        Thread.sleep(RETRY);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
