package dev.portolan.source.record;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The files of a folder that belong to a recording, by names that sort by time. */
final class Parts {
  /** How the name of a part ends. */
  static final String SUFFIX = ".rec";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Parts() {}

  /** The parts in {@code folder}, oldest first; other files are none of ours. */
  static List<Path> in(Path folder) throws IOException {
    List<Path> parts = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        if (begin(file).isPresent()) {
          parts.add(file);
        }
      }
    }
    Collections.sort(parts);
    return parts;
  }

  /** When a part began, by its name. */
  static Optional<Instant> begin(Path part) {
    String name = part.getFileName().toString();
    try {
      return Optional.of(
          NAME.parse(name.substring(0, name.length() - SUFFIX.length()), Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** A name for a part that begins at {@code now}, after those that are there already. */
  static Path next(Path folder, List<Path> parts, Instant now) {
    Instant time = now.truncatedTo(ChronoUnit.MILLIS);
    if (!parts.isEmpty()) {
      Instant newest = begin(parts.getLast()).orElseThrow();
      time = time.isAfter(newest) ? time : newest.plusMillis(1); // Clocks are set back at times.
    }
    return folder.resolve(NAME.format(time) + SUFFIX);
  }
}
