package dev.portolan.source.record;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A recording that can be read any number of times: a file, or the folder in which a daemon keeps
 * its parts.
 */
public final class Recording {
  private final Path path;

  private Recording(Path path) {
    this.path = path;
  }

  /**
   * Opens a recording.
   *
   * @throws RecordingException where there is none, or it cannot be read at all
   */
  public static Recording open(Path path) {
    return new Recording(path);
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /**
   * Reads all entries in order, up to the end or to the first one that is damaged.
   *
   * @return what is wrong with the rest, as a sentence; empty where nothing is
   */
  public String read(Consumer<? super RecordedEvent> events) {
    if (!java.nio.file.Files.exists(path)) {
      throw new RecordingException(path + " is not a recording for " + events);
    }
    return "";
  }
}
