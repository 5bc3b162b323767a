package dev.portolan.web.http;

import dev.portolan.core.error.Failures;
import java.io.IOException;
import java.time.Duration;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/**
 * Finds, in what the server of the JDK logs, that it cannot accept connections: it reports that
 * nowhere else, and tries again at once, so it is also held up here.
 */
final class AcceptFailures extends Handler {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String LOOP = "Dispatcher (4)";

  @Override
  public void publish(LogRecord record) {
    if (LOOP.equals(record.getMessage()) && record.getThrown() instanceof IOException failure) {
      Failures.ofProcess().add("chart", failure);
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
