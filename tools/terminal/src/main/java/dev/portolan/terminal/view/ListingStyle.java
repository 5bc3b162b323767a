package dev.portolan.terminal.view;

import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.query.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * How a list is printed.
 *
 * @param wide with more columns, and never cut
 * @param titles whether a line of titles comes first
 * @param order the field of an item to sort by
 */
public record ListingStyle(boolean wide, boolean titles, Optional<JsonPath> order) {
  /** The lines of a table. */
  List<String> lines(TextTable table, Terminal terminal) {
    OptionalInt width = width(terminal);
    return titles ? table.withTitles(width, terminal) : table.withoutTitles(width, terminal);
  }

  /** How many columns a table may have. */
  public OptionalInt width(Terminal terminal) {
    return wide ? OptionalInt.empty() : terminal.tableWidth();
  }

  /** The items in the order that was asked for, where one was. */
  public <T> List<T> sorted(List<T> items, Function<T, ? extends Map<String, ?>> tree) {
    return order.map(path -> items.stream().sorted(path.order(tree)).toList()).orElse(items);
  }
}
