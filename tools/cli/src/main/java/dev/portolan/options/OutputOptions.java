package dev.portolan.options;

import dev.portolan.terminal.Choice;
import dev.portolan.terminal.OutputFormat;
import dev.portolan.terminal.query.JsonPath;
import dev.portolan.terminal.query.Output;
import dev.portolan.terminal.view.ListingStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** In which form a list is printed. */
public final class OutputOptions {
  private static final List<OutputFormat> FORMATS =
      List.of(
          OutputFormat.TABLE,
          OutputFormat.WIDE,
          OutputFormat.NAME,
          OutputFormat.YAML,
          OutputFormat.JSON,
          OutputFormat.JSONPATH,
          OutputFormat.CUSTOM_COLUMNS);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      completionCandidates = Formats.class,
      description =
          "table, wide, name, yaml, json, jsonpath=TEMPLATE or custom-columns=TITLE:PATH,..."
              + " Default: table, as wide as the terminal; nothing is cut into a pipe.")
  private String output = "table";

  @Option(names = "--no-headers", description = "Print tables without their line of titles.")
  private boolean noHeaders;

  @Option(
      names = "--sort-by",
      paramLabel = "PATH",
      description = "Sort the list by this field of -o json, such as .name.")
  private String order = "";

  /** What shells offer after {@code -o}. */
  static final class Formats extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Formats() {
      FORMATS.forEach(format -> add(format + (format.hasArgument() ? "=" : "")));
    }
  }

  /** The form; {@code more} forms are allowed too. */
  public Output output(OutputFormat... more) {
    return Output.parse(output, Stream.concat(FORMATS.stream(), List.of(more).stream()).toList());
  }

  /** How the list looks. */
  public ListingStyle style() {
    return new ListingStyle(
        output.equals(OutputFormat.WIDE.toString()),
        !noHeaders,
        order.isEmpty()
            ? Optional.empty()
            : Optional.of(Choice.read("--sort-by", () -> JsonPath.path(order))));
  }
}
