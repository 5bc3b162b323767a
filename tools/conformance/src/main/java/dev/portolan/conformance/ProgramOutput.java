package dev.portolan.conformance;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the line in a program's output that says what is wrong. */
final class ProgramOutput {
  /** How errors begin, in the languages and programs that backends are written in. */
  private static final Pattern BEGINNING =
      Pattern.compile(
          "(panic|fatal error|Exception in thread|Caused by|thread '.*' panicked)\\b.*");

  private static final Pattern WORDS =
      Pattern.compile(
          "\\b(error|exception|fatal|panic|fail(ed|ure|s|ing)?|cannot|can't|could"
              + " not|denied|refused|no such|not found|invalid|unknown|missing|unable|timed"
              + " out)\\b|\\w(Error|Exception)\\b|\\[PORT-[0-9]+\\]",
          Pattern.CASE_INSENSITIVE);

  /** A line that only points elsewhere. */
  private static final Pattern HINT = Pattern.compile("(See|Set|Run|Try|Use|usage:|Usage:) .*");

  private ProgramOutput() {}

  /**
   * The last line that begins like an error, else the last that mentions one, else the last: a
   * program may print a hint, a stack trace or a last greeting after the explanation. What is
   * indented belongs to a line before it.
   */
  static Optional<String> complaint(String output) {
    List<String> lines =
        output
            .lines()
            .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
            .filter(line -> !HINT.matcher(line).matches())
            .toList()
            .reversed();
    return lines.stream()
        .filter(line -> BEGINNING.matcher(line).matches())
        .findFirst()
        .or(() -> lines.stream().filter(line -> WORDS.matcher(line).find()).findFirst())
        .or(() -> lines.stream().findFirst());
  }
}
