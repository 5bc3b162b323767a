package dev.portolan.commandline;

import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command, in the language of man(7), with the texts of its help. */
final class ManPage {
  private static final String EXAMPLES = "Examples:";
  private static final int LINE = 72;

  private final CommandSpec command;
  private final String name;
  private final List<String> lines = new ArrayList<>();

  private ManPage(CommandSpec command, String name) {
    this.command = command;
    this.name = name;
  }

  /** The name of the page of {@code command}, as in {@code portolan-config-validate}. */
  static String name(CommandSpec command) {
    return command.qualifiedName("-").replace(' ', '-');
  }

  /**
   * The page.
   *
   * @param options what the options are, if it is not what picocli knows of them
   */
  static String of(CommandSpec command, String version, String date, List<String> options) {
    ManPage page = new ManPage(command, name(command));
    page.title(version, date);
    page.synopsis();
    page.description();
    if (options.isEmpty()) {
      page.options();
    } else {
      page.section("OPTIONS");
      page.verbatim(options);
    }
    page.commands();
    page.examples();
    page.seeAlso();
    return String.join("\n", page.lines) + "\n";
  }

  private void title(String version, String date) {
    lines.add(
        ".TH %s 1 %s %s %s"
            .formatted(
                escaped(name.toUpperCase(Locale.ROOT)),
                date,
                quoted("Portolan " + version),
                quoted("Portolan")));
    section("NAME");
    text(name + " - " + brief(header()));
  }

  private void synopsis() {
    section("SYNOPSIS");
    String[] own = command.usageMessage().customSynopsis();
    verbatim(
        own.length == 0
            ? List.of(command.qualifiedName() + " [FLAG]...")
            : Stream.of(own).map(String::strip).toList());
  }

  private void description() {
    section("DESCRIPTION");
    text(header());
    for (String paragraph : plain(command.usageMessage().footerHeading()).split("\n\n", -1)) {
      if (!paragraph.isBlank() && !paragraph.strip().equals(EXAMPLES)) {
        paragraph(paragraph.strip().replaceAll("\\s+", " "));
      }
    }
    List<String> rest = footer().stream().dropWhile(line -> !line.isBlank()).toList();
    if (rest.stream().anyMatch(line -> !line.isBlank())) {
      paragraph(String.join(" ", rest).strip().replaceAll("\\s+", " "));
    }
  }

  private void options() {
    section("OPTIONS");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      entry("\\fI" + escaped(parameter.paramLabel()) + "\\fR", parameter.description());
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        entry(term(option), option.description());
      }
    }
  }

  private static String term(OptionSpec option) {
    List<String> names =
        Stream.of(option.names()).map(name -> "\\fB" + escaped(name) + "\\fR").toList();
    String value = "";
    if (option.arity().max() > 0) {
      String label = "\\fI" + escaped(option.paramLabel()) + "\\fR";
      value = option.arity().min() > 0 ? "=" + label : "[=" + label + "]";
    }
    return String.join(", ", names) + value;
  }

  private void commands() {
    List<CommandSpec> below = shown(command);
    if (below.isEmpty()) {
      return;
    }
    section("COMMANDS");
    for (CommandSpec spec : below) {
      entry("\\fB" + escaped(spec.name()) + "\\fR", spec.usageMessage().header());
    }
  }

  /** The commands of {@code command} that its help lists. */
  static List<CommandSpec> shown(CommandSpec command) {
    return command.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(spec -> !spec.usageMessage().hidden())
        .distinct()
        .toList();
  }

  private void examples() {
    List<String> examples = footer().stream().takeWhile(line -> !line.isBlank()).toList();
    if (!examples.isEmpty()) {
      section("EXAMPLES");
      verbatim(examples.stream().map(String::strip).toList());
    }
  }

  private void seeAlso() {
    List<String> pages = new ArrayList<>();
    CommandSpec parent = command.parent();
    if (parent != null) {
      pages.add(name(parent));
      shown(parent).stream()
          .filter(spec -> !spec.name().equals(command.name()))
          .forEach(spec -> pages.add(name(spec)));
    } else {
      shown(command).forEach(spec -> pages.add(name(spec)));
    }
    section("SEE ALSO");
    lines.add(
        String.join(
            ",\n",
            pages.stream()
                // The commands of the plugin have no pages of their own.
                .map(page -> page.replace("kubectl-", ""))
                .map(page -> "\\fB" + escaped(page) + "\\fR(1)")
                .toList()));
  }

  private String header() {
    return plain(String.join(" ", command.usageMessage().header()));
  }

  private List<String> footer() {
    return Stream.of(command.usageMessage().footer()).map(ManPage::plain).toList();
  }

  private void section(String title) {
    lines.add(".SH " + quoted(title));
  }

  private void paragraph(String text) {
    lines.add(".PP");
    text(text);
  }

  private void entry(String term, String[] description) {
    lines.add(".TP");
    lines.add(term);
    text(plain(String.join(" ", description)).replaceAll("\\s+", " "));
  }

  /** Short lines, as other programs that read such files want them. */
  private void text(String text) {
    Text.wrap(text, LINE).forEach(line -> lines.add(escaped(line)));
  }

  private void verbatim(List<String> texts) {
    lines.add(".nf");
    texts.forEach(text -> lines.add(escaped(text)));
    lines.add(".fi");
  }

  /** The first words of a sentence, as they stand behind a name. */
  private static String brief(String sentence) {
    String text = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  /** A text of picocli's, which is a format, as it is printed. */
  private static String plain(String text) {
    return text.replace("%n", "\n").replace("%%", "%");
  }

  private static String quoted(String text) {
    return '"' + escaped(text) + '"';
  }

  /** Text that roff takes for nothing but text. */
  private static String escaped(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    return safe.startsWith(".") || safe.startsWith("'") || safe.isEmpty() ? "\\&" + safe : safe;
  }
}
