package dev.portolan.terminal.query;

import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Columns that a user chose, as {@code TITLE:PATH,TITLE:PATH}, each path from an item. */
public final class CustomColumns {
  private final List<String> titles = new ArrayList<>();
  private final List<JsonPath> paths = new ArrayList<>();

  private CustomColumns() {}

  /**
   * Reads the columns.
   *
   * @throws IllegalArgumentException if they are none, with a message for the user
   */
  public static CustomColumns parse(String text) {
    CustomColumns columns = new CustomColumns();
    for (String column : text.split(",(?=[^,:\\[\\]()]+:)", -1)) {
      int colon = column.indexOf(':');
      if (colon < 1 || colon == column.length() - 1) {
        throw new IllegalArgumentException(
            "'" + column + "' is not a column; write TITLE:PATH, as in NAME:.name");
      }
      columns.titles.add(column.substring(0, colon));
      columns.paths.add(JsonPath.path(column.substring(colon + 1)));
    }
    return columns;
  }

  /** The table with a row for each item. */
  public TextTable table(List<? extends Object> items) {
    TextTable table =
        new TextTable(
            titles.stream()
                .map(title -> new Column(title, Fit.NEVER_CUT, 0))
                .toArray(Column[]::new));
    for (Object item : items) {
      table.row(paths.stream().map(path -> cell(path.find(item))).toArray(String[]::new));
    }
    return table;
  }

  private static String cell(List<@Nullable Object> found) {
    String text = found.stream().map(Values::text).collect(Collectors.joining(","));
    return text.isEmpty() ? "<none>" : text;
  }
}
