package dev.portolan.terminal.query;

import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Text;
import dev.portolan.terminal.TextTable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The form that a user asked for with {@code -o}, with what was picked out. */
public final class Output {
  private final OutputFormat format;
  private final @Nullable JsonPath template;
  private final @Nullable CustomColumns columns;

  private Output(
      OutputFormat format, @Nullable JsonPath template, @Nullable CustomColumns columns) {
    this.format = format;
    this.template = template;
    this.columns = columns;
  }

  /** Reads what follows {@code -o} of a command that prints text, or a tree. */
  public static Output textOrTree(String text) {
    return orTree(text, OutputFormat.TEXT);
  }

  /** Reads what follows {@code -o} of a command that prints {@code others}, or a tree. */
  public static Output orTree(String text, OutputFormat... others) {
    List<OutputFormat> trees = List.of(OutputFormat.YAML, OutputFormat.JSON, OutputFormat.JSONPATH);
    return parse(text, Stream.concat(Stream.of(others), trees.stream()).toList());
  }

  /** Reads what follows {@code -o}, which must be one of {@code allowed}. */
  public static Output parse(String text, List<OutputFormat> allowed) {
    int equals = text.indexOf('=');
    String word = equals < 0 ? text : text.substring(0, equals);
    String argument = equals < 0 ? "" : text.substring(equals + 1);
    OutputFormat format =
        allowed.stream()
            .filter(known -> known.toString().equals(word))
            .filter(known -> known.hasArgument() || equals < 0)
            .findFirst()
            .orElseThrow(() ->
                CommandFailure.usage(
                    "-o: '" + Text.printable(text) + "' is not allowed; write " + words(allowed)));
    if (format.hasArgument() && argument.isEmpty()) {
      throw CommandFailure.usage("-o: " + example(format));
    }
    try {
      return switch (format) {
        case JSONPATH -> new Output(format, JsonPath.parse(argument), null);
        case CUSTOM_COLUMNS -> new Output(format, null, CustomColumns.parse(argument));
        default -> new Output(format, null, null);
      };
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(
          "-o " + format + ": " + Text.printable(String.valueOf(e.getMessage())));
    }
  }

  private static String words(List<OutputFormat> allowed) {
    List<String> words =
        allowed.stream().map(known -> known + (known.hasArgument() ? "=…" : "")).toList();
    return String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
  }

  private static String example(OutputFormat format) {
    return format == OutputFormat.JSONPATH
        ? "jsonpath needs a template, as in jsonpath='{.services[*].name}'"
        : "custom-columns needs columns, as in custom-columns=NAME:.name,TYPE:.type";
  }

  /** The kind of form. */
  public OutputFormat format() {
    return format;
  }

  /** Whether the form is for programs, so that a tree is needed. */
  public boolean isTree() {
    return format.isTree() || format == OutputFormat.NAME || format.hasArgument();
  }

  /** Prints the result in a form for programs. */
  public void print(ResultTree result, boolean titles, Terminal terminal) {
    switch (format) {
      case NAME -> result.items().forEach(item -> terminal.print(Text.printable(item.name())));
      case JSONPATH ->
          terminal.out().print(Optional.ofNullable(template).orElseThrow().render(result.tree()));
      case CUSTOM_COLUMNS -> {
        TextTable table =
            Optional.ofNullable(columns)
                .orElseThrow()
                .table(result.items().stream().map(ResultTree.Item::tree).toList());
        terminal.print(
            titles
                ? table.withTitles(OptionalInt.empty(), terminal)
                : table.withoutTitles(OptionalInt.empty(), terminal));
      }
      default -> terminal.out().print(format.write(result.tree()));
    }
  }

  /** The same for one of many results, one after another. */
  public void printOneOfMany(ResultTree result, boolean titles, Terminal terminal) {
    if (format.isTree()) {
      terminal.out().print(format.writeOneOfMany(result.tree()));
      return;
    }
    print(result, titles, terminal);
    if (format == OutputFormat.JSONPATH) {
      terminal.print("");
    }
  }
}
