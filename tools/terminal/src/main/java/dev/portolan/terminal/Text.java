package dev.portolan.terminal;

import dev.portolan.core.text.Quotes;
import java.util.ArrayList;
import java.util.List;

/** Makes text fit. */
public final class Text {
  private Text() {}

  /** {@code text} without characters that would do something to a terminal. */
  public static String printable(String text) {
    return Quotes.printable(text);
  }

  /** {@code text} in {@code width} columns, its end cut off. */
  public static String cutEnd(String text, int width) {
    return cutEnd(text, width, "…");
  }

  /** {@code text} in {@code width} columns, its end cut off where {@code gap} stands. */
  public static String cutEnd(String text, int width, String gap) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + gap;
  }

  /** {@code text} in {@code width} columns, cut out of its middle: names differ at their ends. */
  static String cutMiddle(String text, int width, String gap) {
    if (text.length() <= width) {
      return text;
    }
    int kept = Math.max(0, width - 1);
    int tail = kept / 2;
    return text.substring(0, kept - tail) + gap + text.substring(text.length() - tail);
  }

  /** {@code text} in lines of {@code width} columns; a word longer than that is broken. */
  public static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
      while (line.length() > width) {
        lines.add(line.substring(0, width));
        line.delete(0, width);
      }
    }
    lines.add(line.toString());
    return lines;
  }
}
