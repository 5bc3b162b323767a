package dev.portolan.telemetry.log;

import org.jspecify.annotations.Nullable;

/**
 * What one component of the program says. A line is a constant sentence and pairs of a name and a
 * value, in {@code pairs} one after the other. Values become text only if the line is written; so a
 * disabled line costs next to nothing, unless computing its values does: then ask {@link #enabled}
 * first. Any thread may call it.
 */
public final class Log {
  private final Logs logs;
  private final String component;
  private final int componentVerbosity;
  private final int level;

  Log(Logs logs, String component, int componentVerbosity, int level) {
    this.logs = logs;
    this.component = component;
    this.componentVerbosity = componentVerbosity;
    this.level = level;
  }

  /** Whether lines of this level are written. 0 always is; the higher, the more detailed. */
  public boolean enabled(int level) {
    return level <= logs.verbosity() || level <= componentVerbosity;
  }

  /** The same log for lines that are written only where this level is on. */
  public Log v(int level) {
    return level == this.level ? this : new Log(logs, component, componentVerbosity, level);
  }

  /** Says what happened. */
  public void info(String message, @Nullable Object... pairs) {
    if (enabled(level)) {
      logs.write(new Line(Severity.INFO, component, level, message, null, pairs));
    }
  }

  /** Logs a warning. */
  public void warn(String message, @Nullable Object... pairs) {
    if (enabled(level)) {
      logs.write(new Line(Severity.WARNING, component, level, message, null, pairs));
    }
  }

  /** Says what failed; the level does not matter. */
  public void error(String message, @Nullable Object... pairs) {
    logs.write(new Line(Severity.ERROR, component, level, message, null, pairs));
  }

  /** Says what failed and why; the level does not matter. */
  public void error(Throwable cause, String message, @Nullable Object... pairs) {
    logs.write(new Line(Severity.ERROR, component, level, message, cause, pairs));
  }
}
