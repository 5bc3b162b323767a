package dev.portolan.source.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * A recording that can be read any number of times: a file, or the folder in which a daemon keeps
 * its parts.
 */
public final class Recording {
  private final Path path;
  private final List<Path> files;

  private Recording(Path path, List<Path> files) {
    this.path = path;
    this.files = List.copyOf(files);
  }

  /**
   * Opens a recording.
   *
   * @throws RecordingException where there is none, or it cannot be read at all
   */
  public static Recording open(Path path) {
    List<Path> files = Files.isDirectory(path) ? parts(path) : List.of(path);
    RecordingException failure = null;
    for (Path file : files) {
      try (FrameReader _ = FrameReader.open(file)) {
        return new Recording(path, files);
      } catch (RecordingException e) {
        failure = e;
      }
    }
    throw failure != null
        ? failure
        : new RecordingException(
            path + " has no recording: no file in it is named like 20261117T031200.000Z.rec");
  }

  private static List<Path> parts(Path folder) {
    try {
      return Parts.in(folder);
    } catch (IOException e) {
      throw FrameReader.unreadable(folder, e);
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** The files that it consists of, oldest first. */
  public List<Path> files() {
    return files;
  }

  /** How many bytes these have. */
  public long bytes() {
    return files.stream().mapToLong(file -> file.toFile().length()).sum();
  }

  /**
   * Reads all entries in order, up to the end or to the first one that is damaged. After damage it
   * goes on with the next part, if there is one.
   *
   * @return what is wrong with the rest, as a sentence; empty where nothing is
   */
  public String read(Consumer<? super RecordedEvent> events) {
    try (RecordingReader reader = reader()) {
      for (RecordedEvent event = reader.next(); event != null; event = reader.next()) {
        events.accept(event);
      }
      return reader.damage();
    }
  }

  /**
   * What it covers. It is read for that.
   *
   * @throws RecordingException if it has no state of a cluster
   */
  public RecordingIndex index() {
    return RecordingIndex.of(this);
  }

  /** The state at its end. */
  public RecordedEvent.State last() {
    return find((run, state) -> true);
  }

  /** The state at {@code point}. */
  public RecordedEvent.State at(RecordPoint point) {
    return switch (point) {
      case RecordPoint.AtTime(Instant time) -> find((run, state) -> !state.time().isAfter(time));
      case RecordPoint.AtRevision(int wanted, long revision) ->
          find((run, state) -> run == wanted && state.revision() <= revision);
    };
  }

  /** Judges a state of the run with that number. */
  private interface StateTest {
    boolean matches(int run, RecordedEvent.State state);
  }

  /** The last state that matches. */
  private RecordedEvent.State find(StateTest test) {
    RecordedEvent.State found = null;
    int run = -1;
    try (RecordingReader reader = reader()) {
      for (RecordedEvent event = reader.next(); event != null; event = reader.next()) {
        switch (event) {
          case RecordedEvent.Started _ -> run++;
          case RecordedEvent.State state -> found = test.matches(run, state) ? state : found;
          case RecordedEvent.Synced _, RecordedEvent.Repaired _, RecordedEvent.Problem _ -> {}
        }
      }
      if (found == null) {
        throw new RecordingException(path + " has no state of a cluster. " + reader.damage());
      }
      return found;
    }
  }

  RecordingReader reader() {
    return new RecordingReader(files);
  }
}
