package dev.portolan.source.record;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.portolan.api.v1.RecordingEntry;
import dev.portolan.core.text.Counted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the files of a recording, one after another. What is damaged in one file does not
 * hide the next, which begins with a whole state.
 */
final class EntryStream implements AutoCloseable {
  /** A state of 64 MiB in one entry, as older versions wrote it, has fewer. */
  private static final int MOST_ELEMENTS = 3_000_000;

  private final Deque<Path> files;
  private final boolean single;
  private final List<String> damage = new ArrayList<>();
  private @Nullable FrameReader frames;
  private Path file = Path.of("");
  private long entries;
  private @Nullable Instant last;

  EntryStream(List<Path> files) {
    this.files = new ArrayDeque<>(files);
    this.single = files.size() == 1;
  }

  /** The next entry; null at the end. */
  @Nullable RecordingEntry next() {
    while (true) {
      if (frames == null && !open()) {
        return null;
      }
      RecordingEntry entry = read();
      if (entry != null) {
        entries++;
        last = EntryReader.time(entry);
        return entry;
      }
      close();
    }
  }

  /** Whether the newest entry is the first one of its file. */
  boolean isFirst() {
    return entries == 1;
  }

  /** Leaves the rest of the file out, since its newest entry cannot be understood. */
  void skip(String problem) {
    entries--;
    damage.add(place() + changed(problem));
    close();
  }

  /** What is wrong with the entries that were not given; empty where nothing is. */
  String damage() {
    return String.join("; ", damage);
  }

  /** Opens the next file that is there and can be read. */
  private boolean open() {
    while (!files.isEmpty()) {
      file = files.remove();
      entries = 0;
      last = null;
      if (!single && Files.notExists(file)) {
        continue; // It made room for a newer one meanwhile.
      }
      try {
        frames = FrameReader.open(file);
        return true;
      } catch (RecordingException e) {
        if (single) {
          throw e;
        }
        damage.add(String.valueOf(e.getMessage()));
      }
    }
    return false;
  }

  private @Nullable RecordingEntry read() {
    FrameReader reader = frames;
    if (reader == null) {
      return null;
    }
    try {
      byte[] content = reader.next();
      if (content != null) {
        if (ElementCount.of(content, RecordingEntry.getDescriptor()) > MOST_ELEMENTS) {
          damage.add(
              place() + changed("it has more than " + MOST_ELEMENTS + " elements, which none has"));
          return null;
        }
        return RecordingEntry.parseFrom(content);
      }
      switch (reader.fault()) {
        case NONE -> {}
        case CUT_OFF ->
            damage.add(
                place()
                    + (last == null
                        ? "cut off before its first entry"
                        : "cut off after entry " + entries + " at " + last)
                    + rest(reader));
        case CHANGED -> damage.add(place() + changed("its checksum is wrong") + rest(reader));
      }
      return null;
    } catch (InvalidProtocolBufferException e) {
      damage.add(place() + changed("it is not a message of this format"));
      return null;
    } catch (IOException e) {
      throw FrameReader.unreadable(file, e);
    }
  }

  private String place() {
    return single ? "" : file.getFileName() + ": ";
  }

  private String changed(String problem) {
    return "damaged at entry "
        + (entries + 1)
        + (last == null ? "" : ", after " + last)
        + ": "
        + problem;
  }

  private static String rest(FrameReader reader) {
    return "; the rest, " + Counted.of(reader.rest(), "byte") + ", cannot be read";
  }

  @Override
  public void close() {
    if (frames != null) {
      frames.close();
      frames = null;
    }
  }
}
