package dev.portolan.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Two texts in two columns, equal lines beside each other.
 *
 * <p>The sign between the columns is {@code |} where a line was changed, {@code <} where only the
 * old text has it, and {@code >} where only the new one has.
 */
public final class SideBySide {
  /** Above this many pairs of lines the middle of the texts is not compared line by line. */
  private static final int MOST_PAIRS = 4_000_000;

  private static final int MARK = 3;

  private final List<String> before;
  private final List<String> after;
  private final List<Row> rows = new ArrayList<>();

  private SideBySide(List<String> before, List<String> after) {
    this.before = before;
    this.after = after;
  }

  /** A line of each text, and how they differ. */
  private record Row(String before, char mark, String after) {}

  /** The lines of an old and a new text. */
  public static SideBySide of(List<String> before, List<String> after) {
    SideBySide texts =
        new SideBySide(
            before.stream().map(Text::printable).toList(),
            after.stream().map(Text::printable).toList());
    texts.compare();
    return texts;
  }

  /** The columns, together as wide as the terminal; lines that are too long go on below. */
  public List<String> lines(Terminal terminal) {
    int width = (terminal.width() - MARK) / 2;
    List<String> lines = new ArrayList<>();
    for (Row row : rows) {
      List<String> left = chop(row.before, width);
      List<String> right = chop(row.after, width);
      for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
        String old = i < left.size() ? left.get(i) : "";
        String now = i < right.size() ? right.get(i) : "";
        boolean same = row.mark == ' ';
        String gap = " ".repeat(width - old.length());
        String line =
            terminal.paint(same ? Paint.NONE : Paint.RED, old)
                + gap
                + " "
                + row.mark
                + " "
                + terminal.paint(same ? Paint.NONE : Paint.GREEN, now);
        lines.add(line.stripTrailing());
      }
    }
    return lines;
  }

  private void compare() {
    int start = 0;
    int least = Math.min(before.size(), after.size());
    while (start < least && before.get(start).equals(after.get(start))) {
      start++;
    }
    int tail = 0;
    while (tail < least - start
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    before.subList(0, start).forEach(line -> rows.add(new Row(line, ' ', line)));
    middle(before.subList(start, before.size() - tail), after.subList(start, after.size() - tail));
    before
        .subList(before.size() - tail, before.size())
        .forEach(line -> rows.add(new Row(line, ' ', line)));
  }

  /** Walks along the longest common subsequence. */
  private void middle(List<String> old, List<String> now) {
    if ((long) old.size() * now.size() > MOST_PAIRS) {
      differ(old, now);
      return;
    }
    int[][] common = new int[old.size() + 1][now.size() + 1];
    for (int i = old.size() - 1; i >= 0; i--) {
      for (int j = now.size() - 1; j >= 0; j--) {
        common[i][j] =
            old.get(i).equals(now.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    int i = 0;
    int j = 0;
    int oldFrom = 0;
    int nowFrom = 0;
    while (i < old.size() && j < now.size()) {
      if (old.get(i).equals(now.get(j))) {
        differ(old.subList(oldFrom, i), now.subList(nowFrom, j));
        rows.add(new Row(old.get(i), ' ', now.get(j)));
        i++;
        j++;
        oldFrom = i;
        nowFrom = j;
      } else if (common[i + 1][j] >= common[i][j + 1]) {
        i++;
      } else {
        j++;
      }
    }
    differ(old.subList(oldFrom, old.size()), now.subList(nowFrom, now.size()));
  }

  private void differ(List<String> old, List<String> now) {
    for (int i = 0; i < Math.max(old.size(), now.size()); i++) {
      if (i >= now.size()) {
        rows.add(new Row(old.get(i), '<', ""));
      } else if (i >= old.size()) {
        rows.add(new Row("", '>', now.get(i)));
      } else {
        rows.add(new Row(old.get(i), '|', now.get(i)));
      }
    }
  }

  private static List<String> chop(String line, int width) {
    List<String> parts = new ArrayList<>();
    for (int from = 0; from == 0 || from < line.length(); from += width) {
      parts.add(line.substring(from, Math.min(line.length(), from + width)));
    }
    return parts;
  }
}
