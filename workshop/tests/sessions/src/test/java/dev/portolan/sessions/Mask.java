package dev.portolan.sessions;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** What a session leaves open, because it is another time or another version in each run. */
final class Mask {
  /** Stands for any text inside of a line. */
  private static final String ANY = "⟨any⟩";

  /** As a line, stands for any number of lines. */
  private static final String LINES = "⟨lines⟩";

  private Mask() {}

  /** Whether the lines are what was said. */
  static boolean matches(List<String> said, List<String> printed) {
    String all = said.stream().map(Mask::pattern).collect(joining());
    return Pattern.matches(all, text(printed));
  }

  /** The lines as they were said, where they match, and as they are printed elsewhere. */
  static List<String> keep(List<String> said, List<String> printed) {
    if (matches(said, printed)) {
      return said;
    }
    List<String> kept = new ArrayList<>(printed);
    for (int i = 0; i < Math.min(said.size(), printed.size()); i++) {
      if (matches(said.subList(i, i + 1), printed.subList(i, i + 1))) {
        kept.set(i, said.get(i));
      }
    }
    return kept;
  }

  private static String text(List<String> lines) {
    return lines.stream().map(line -> line + "\n").collect(joining());
  }

  private static String pattern(String line) {
    return line.equals(LINES)
        ? "(?:.*\n)*?"
        : Arrays.stream(line.split(ANY, -1)).map(Pattern::quote).collect(joining(".*")) + "\n";
  }
}
