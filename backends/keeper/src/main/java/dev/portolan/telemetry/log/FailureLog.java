package dev.portolan.telemetry.log;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Failures;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Writes unexpected failures to a log. */
public final class FailureLog implements Failures.Listener {
  /** At which verbosity failures are logged with their stack traces. */
  private static final int TRACES = 4;

  private final Log log;

  /** Writes to {@code log}. */
  public FailureLog(Log log) {
    this.log = log;
  }

  @Override
  public void failed(String place, Throwable failure, long unreported) {
    log.error(
        "Unexpected failure",
        "code",
        ErrorCode.of(failure),
        "place",
        place,
        "cause",
        failure,
        "at",
        Failures.origin(failure),
        "unreported",
        unreported);
    if (log.enabled(TRACES)) {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      log.v(TRACES).info("Stack trace", "trace", text);
    }
  }
}
