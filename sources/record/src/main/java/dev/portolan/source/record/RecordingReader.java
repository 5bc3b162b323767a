package dev.portolan.source.record;

import dev.portolan.api.WireException;
import dev.portolan.api.v1.RecordingEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads events one at a time, for as long as the consumer wants more. */
final class RecordingReader implements AutoCloseable {
  private final EntryStream entries;
  private final EntryReader decoder = new EntryReader();

  RecordingReader(List<Path> files) {
    this.entries = new EntryStream(files);
  }

  /** The next event; null at the end. */
  @Nullable RecordedEvent next() {
    for (RecordingEntry entry = entries.next(); entry != null; entry = entries.next()) {
      if (entries.isFirst()) {
        decoder.begin();
      }
      try {
        Optional<RecordedEvent> event = decoder.decode(entry);
        if (event.isPresent()) {
          return event.get();
        }
      } catch (WireException e) {
        entries.skip(String.valueOf(e.getMessage()));
      }
    }
    return null;
  }

  /** What is wrong with the entries that were not given; empty where nothing is. */
  String damage() {
    return entries.damage();
  }

  @Override
  public void close() {
    entries.close();
  }
}
