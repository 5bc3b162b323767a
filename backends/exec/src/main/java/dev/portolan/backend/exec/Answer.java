package dev.portolan.backend.exec;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a program says of a change: that it is applied, or why not. */
sealed interface Answer {
  /** The program has made its world equal to the revision; 0 stands for a cleanup. */
  record Applied(long revision) implements Answer {}

  /** The program could not, in its own words. */
  record Failed(long revision, String error) implements Answer {}

  /** Meant as an answer, but written wrong; {@code rule} is what it breaks. */
  record Unclear(String line, String rule) implements Answer {}

  /** A line whose first word, or one of whose names, is that of an answer. */
  Pattern MEANT =
      Pattern.compile(
          "[\\[{][\\s\\[{]*[\"']?(applied|failed)\\b.*|[\\[{].*[{,]\\s*[\"'](applied|failed)[\"'].*");

  /**
   * The answer in a line: {@code {"applied": 7}} or {@code {"failed": 7, "error": "why"}}, perhaps
   * with more fields. Lines that do not look like an answer are ignored: a program may print what
   * it likes.
   */
  static Optional<Answer> parse(String line) {
    Optional<Map<String, Object>> fields = FlatJson.read(line);
    @Nullable Object failed = fields.map(all -> all.get("failed")).orElse(null);
    @Nullable Object applied = fields.map(all -> all.get("applied")).orElse(null);
    if (failed instanceof Long revision) {
      return Optional.of(new Failed(revision, words(fields.get().get("error"))));
    }
    if (applied instanceof Long revision && failed == null) {
      return Optional.of(new Applied(revision));
    }
    if (!MEANT.matcher(line.strip()).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Unclear(
            line.strip(),
            fields.isPresent()
                ? "its revision must be a whole number"
                : "it must be one object of JSON, with no object or list inside"));
  }

  private static String words(@Nullable Object error) {
    return error instanceof String text && !text.isBlank() ? text.strip() : "no reason given";
  }
}
