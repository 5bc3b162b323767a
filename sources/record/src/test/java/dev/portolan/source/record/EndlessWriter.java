package dev.portolan.source.record;

import java.nio.file.Path;
import java.util.List;

/** Writes as fast as it can until it is killed; a program of its own. */
final class EndlessWriter {
  private EndlessWriter() {}

  /** The first argument is the file, the second a seed. */
  public static void main(String... args) {
    List<RecordedEvent> events = Samples.events(Long.parseLong(args[1]), 3_000);
    System.out.println("ready");
    try (RecordingWriter writer = RecordingWriter.append(Path.of(args[0]))) {
      Samples.write(writer, events);
    }
  }
}
