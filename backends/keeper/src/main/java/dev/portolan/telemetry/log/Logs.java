package dev.portolan.telemetry.log;

import dev.portolan.core.error.Threads;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/**
 * The logs of all components of one process, opened as the settings say. Each line goes out at once
 * and whole; only where the settings give the informational stream a buffer do its lines wait,
 * until that is full or the flush frequency has passed.
 */
public final class Logs implements AutoCloseable {
  private static final int USUAL_LENGTH = 256;

  private final LineFormat format;
  private final List<LogSettings.Component> components;
  private final OutputStream info;
  private final OutputStream error;
  private final Clock clock;
  private final long process;
  private final Optional<Thread> flusher;
  private volatile long verbosity;
  private boolean closed;
  private long lost;

  private Logs(LogSettings settings, Streams streams, Clock clock, long process) {
    this.format = settings.json() ? LineFormat.JSON : LineFormat.TEXT;
    this.components = settings.components();
    this.verbosity = settings.verbosity();
    this.clock = clock;
    this.process = process;
    error = streams.error();
    int buffer = settings.splitStream() ? BufferSize.of(settings.infoBufferSize()) : 0;
    info =
        !settings.splitStream()
            ? error
            : buffer == 0 ? streams.info() : new BufferedOutputStream(streams.info(), buffer);
    flusher =
        buffer == 0
            ? Optional.empty()
            : Optional.of(
                Threads.virtual("log-flusher")
                    .lasting()
                    .start(() -> flushEach(settings.flushFrequency())));
  }

  /** Opens the logs. */
  public static Logs open(LogSettings settings, Streams streams) {
    return open(
        settings, streams, Clock.system(ZoneId.systemDefault()), ProcessHandle.current().pid());
  }

  static Logs open(LogSettings settings, Streams streams, Clock clock, long process) {
    return new Logs(settings, streams, clock, process);
  }

  /** The log of a component; {@code --vmodule} knows it by this name. */
  public Log of(String component) {
    long own =
        components.stream()
            .filter(item -> matches(item.pattern(), component))
            .findFirst()
            .map(LogSettings.Component::verbosity)
            .orElse(0L);
    return new Log(this, component, (int) Math.min(own, Integer.MAX_VALUE), 0);
  }

  /** The level up to which every component writes. */
  public int verbosity() {
    return (int) Math.min(verbosity, Integer.MAX_VALUE);
  }

  /** Changes the level up to which every component writes, from now on. */
  public void setVerbosity(int level) {
    verbosity = level;
  }

  /** Writes what waits in a buffer. */
  public synchronized void flush() {
    try {
      info.flush();
    } catch (IOException e) {
      lost++;
    }
  }

  /** How often a stream could not be written; the failures could not be reported. */
  public synchronized long lost() {
    return lost;
  }

  /** Writes what waits in a buffer; later lines go out at once. The streams stay open. */
  @Override
  public synchronized void close() {
    closed = true;
    flusher.ifPresent(Thread::interrupt);
    flush();
  }

  /** Formats outside the lock: a value's text may be slow to make, and may even log by itself. */
  void write(Line line) {
    StringBuilder text = new StringBuilder(USUAL_LENGTH);
    format.write(line, ZonedDateTime.now(clock), process, text);
    write(line, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private synchronized void write(Line line, byte[] bytes) {
    OutputStream stream = line.severity() == Severity.INFO ? info : error;
    try {
      stream.write(bytes);
      if (closed) {
        stream.flush();
      }
    } catch (IOException e) {
      lost++;
    }
  }

  private void flushEach(Duration frequency) {
    try {
      while (true) {
        Thread.sleep(frequency);
        flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean matches(String pattern, String component) {
    try {
      String glob = pattern.replace("{", "\\{").replace("}", "\\}");
      return FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(Path.of(component));
    } catch (PatternSyntaxException e) {
      return false;
    }
  }
}
