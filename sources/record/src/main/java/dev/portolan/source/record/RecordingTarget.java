package dev.portolan.source.record;

import java.time.Instant;

/** Where a recording is written to. All methods fail with a {@link RecordingException}. */
public interface RecordingTarget extends AutoCloseable {
  /** Appends an entry; the first one says who records. After a failure the next state is whole. */
  void write(RecordedEvent event);

  /** Notes that the process is still there, and nothing happened up to {@code now}. */
  void alive(Instant now);

  /** How many bytes there are. */
  long bytes();

  @Override
  void close();
}
