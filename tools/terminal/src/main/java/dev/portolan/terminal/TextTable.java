package dev.portolan.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Rows in aligned columns. Where they are too wide, the first column that may shrink gives way down
 * to its least width, then the widest of the others.
 */
public final class TextTable {
  private static final int GAP = 2;

  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  /** What happens to a cell that is wider than its column. */
  public enum Fit {
    NEVER_CUT,
    CUT_MIDDLE,
    CUT_END,
    WRAP,
    ALIGN_RIGHT
  }

  /** A column, how its cells are made to fit, and the width below which it does not shrink. */
  public record Column(String title, Fit fit, int least) {
    boolean shrinks() {
      return fit != Fit.NEVER_CUT && fit != Fit.ALIGN_RIGHT;
    }
  }

  /** A text and its colour. */
  public record Cell(String text, Paint paint) {
    public Cell {
      text = Text.printable(text);
    }

    /** Plain text. */
    public static Cell of(String text) {
      return new Cell(text, Paint.NONE);
    }
  }

  /** A table without rows. */
  public TextTable(Column... columns) {
    this.columns = List.of(columns);
  }

  /** Adds a row of plain cells. */
  public void row(String... cells) {
    row(Arrays.stream(cells).map(Cell::of).toArray(Cell[]::new));
  }

  /** Adds a row. */
  public void row(Cell... cells) {
    rows.add(List.of(cells));
  }

  /** The lines with a line of titles above, in at most {@code width} columns where one is given. */
  public List<String> withTitles(OptionalInt width, Terminal terminal) {
    return byRow(width, terminal).stream().flatMap(List::stream).toList();
  }

  /** The same as a list of the lines of the titles, and one of the lines of each row. */
  public List<List<String>> byRow(OptionalInt width, Terminal terminal) {
    int[] widths = widths(width, true);
    List<Cell> titles = columns.stream().map(column -> new Cell(column.title, Paint.BOLD)).toList();
    List<List<String>> groups = new ArrayList<>();
    groups.add(lines(titles, widths, terminal));
    rows.forEach(row -> groups.add(lines(row, widths, terminal)));
    return groups;
  }

  /** The lines alone, in at most {@code width} columns where one is given. */
  public List<String> withoutTitles(OptionalInt width, Terminal terminal) {
    int[] widths = widths(width, false);
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.addAll(lines(row, widths, terminal)));
    return lines;
  }

  /** The lines alone behind {@code indent}, together as wide as the terminal. */
  public List<String> indented(String indent, Terminal terminal) {
    OptionalInt whole = terminal.tableWidth();
    OptionalInt width =
        whole.isPresent() ? OptionalInt.of(whole.getAsInt() - indent.length()) : whole;
    return withoutTitles(width, terminal).stream().map(line -> indent + line).toList();
  }

  private int[] widths(OptionalInt limit, boolean titles) {
    int[] widths = new int[columns.size()];
    int total = GAP * (columns.size() - 1);
    for (int i = 0; i < widths.length; i++) {
      widths[i] = titles ? columns.get(i).title.length() : 0;
      for (List<Cell> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).text.length());
      }
      total += widths[i];
    }
    if (limit.isEmpty()) {
      return widths;
    }
    int surplus = total - limit.getAsInt();
    for (int i = 0; i < widths.length && surplus > 0; i++) {
      if (columns.get(i).shrinks()) {
        int given = Math.clamp(widths[i] - columns.get(i).least, 0, surplus);
        widths[i] -= given;
        surplus -= given;
        break;
      }
    }
    while (surplus > 0) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        Column column = columns.get(i);
        if (column.shrinks()
            && widths[i] > column.least
            && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        break;
      }
      widths[widest]--;
      surplus--;
    }
    return widths;
  }

  private List<String> lines(List<Cell> row, int[] widths, Terminal terminal) {
    List<String> lines = new ArrayList<>();
    List<List<String>> parts = new ArrayList<>();
    int height = 1;
    for (int i = 0; i < widths.length; i++) {
      List<String> part = fit(row.get(i).text, columns.get(i).fit, widths[i], terminal);
      parts.add(part);
      height = Math.max(height, part.size());
    }
    for (int line = 0; line < height; line++) {
      StringBuilder text = new StringBuilder();
      int due = 0;
      for (int i = 0; i < widths.length; i++) {
        String part = line < parts.get(i).size() ? parts.get(i).get(line) : "";
        int padding = widths[i] - part.length();
        boolean right = columns.get(i).fit == Fit.ALIGN_RIGHT;
        if (!part.isEmpty()) {
          text.repeat(' ', due + (right ? padding : 0));
          text.append(terminal.paint(row.get(i).paint, part));
          due = 0;
        } else if (right) {
          due += padding;
        }
        due += GAP + (right ? 0 : padding);
      }
      lines.add(text.toString());
    }
    return lines;
  }

  private static List<String> fit(String text, Fit fit, int width, Terminal terminal) {
    return switch (fit) {
      case NEVER_CUT, ALIGN_RIGHT -> List.of(text);
      case CUT_MIDDLE -> List.of(Text.cutMiddle(text, width, terminal.gap()));
      case CUT_END -> List.of(Text.cutEnd(text, width, terminal.gap()));
      case WRAP -> Text.wrap(text, width);
    };
  }
}
