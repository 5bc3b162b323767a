package dev.portolan.backend.exec;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a program says of a change: that it is applied, or why not. */
sealed interface Answer {
  /** The revision that it answers; 0 for a cleanup. */
  long revision();

  /** The program has made its world equal to the revision. */
  record Applied(long revision) implements Answer {}

  /** The program could not, in its own words. */
  record Failed(long revision, String error) implements Answer {}

  /**
   * The answer in a line: {@code {"applied": 7}} or {@code {"failed": 7, "error": "why"}}, perhaps
   * with more fields. Any other line is none: a program may print what it likes.
   */
  static Optional<Answer> parse(String line) {
    Map<String, Object> fields = FlatJson.read(line);
    Optional<Long> failed = revision(fields.get("failed"));
    return failed.isPresent()
        ? failed.map(revision -> new Failed(revision, words(fields.get("error"))))
        : revision(fields.get("applied")).map(Applied::new);
  }

  private static Optional<Long> revision(@Nullable Object value) {
    return value instanceof Long number ? Optional.of(number) : Optional.empty();
  }

  private static String words(@Nullable Object error) {
    return error instanceof String text && !text.isBlank() ? text.strip() : "no reason given";
  }
}
