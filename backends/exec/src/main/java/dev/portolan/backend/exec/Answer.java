package dev.portolan.backend.exec;

import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import java.math.BigDecimal;
import java.util.List;
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

  /** As many as any revision has. */
  int MOST_DIGITS = 18;

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
    Map<?, ?> fields = fields(line);
    Optional<Long> failed = revision(fields.get("failed"));
    Optional<Long> applied = revision(fields.get("applied"));
    if (failed.isPresent()) {
      return Optional.of(new Failed(failed.get(), words(fields.get("error"))));
    }
    if (applied.isPresent() && !fields.containsKey("failed")) {
      return Optional.of(new Applied(applied.get()));
    }
    if (!MEANT.matcher(line.strip()).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Unclear(
            line.strip(),
            fields.isEmpty()
                ? "it must be one object of JSON, with no object or list inside"
                : "its revision must be a whole number"));
  }

  /** The fields of an object with nothing but plain values in it; none of anything else. */
  private static Map<?, ?> fields(String line) {
    try {
      Object tree = Field.json("the answer", "", line).tree().orElse("");
      boolean flat =
          tree instanceof Map<?, ?> all
              && all.values().stream()
                  .noneMatch(value -> value instanceof List || value instanceof Map);
      return flat ? (Map<?, ?>) tree : Map.of();
    } catch (TextException e) {
      return Map.of();
    }
  }

  private static Optional<Long> revision(@Nullable Object value) {
    return value instanceof BigDecimal number
            && number.scale() == 0
            && number.signum() >= 0
            && number.precision() <= MOST_DIGITS
        ? Optional.of(number.longValueExact())
        : Optional.empty();
  }

  private static String words(@Nullable Object error) {
    return error instanceof String text && !text.isBlank() ? text.strip() : "no reason given";
  }
}
