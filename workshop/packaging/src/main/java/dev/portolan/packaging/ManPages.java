package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The manual pages of all commands, in the language of man(7): the help of each command, as
 * docs/reference has it, under the headings of such a page.
 */
final class ManPages {
  private static final String PROGRAM = "portolan";
  private static final Pattern REFERENCE =
      Pattern.compile("# portolan .*\n\n```\n(.*)```\n", Pattern.DOTALL);
  private static final Pattern OPTION =
      Pattern.compile("^( {2,6})((?:\\\\-\\w, )?\\\\-\\\\-[\\w\\\\-]+)");

  private final Map<String, String> helps = new TreeMap<>();

  /**
   * Pages of the commands in {@code reference}, of the program, and of the plugin.
   *
   * @param program the program's own help
   * @param plugin that of the plugin of kubectl
   */
  ManPages(Path reference, String program, String plugin) throws IOException {
    helps.put(PROGRAM, program);
    helps.put("kubectl-portolan", plugin);
    try (Stream<Path> pages = Files.list(reference)) {
      for (Path page : pages.toList()) {
        Matcher help = REFERENCE.matcher(Files.readString(page));
        if (help.matches()) {
          String command = page.getFileName().toString().replace(".md", "");
          helps.put(PROGRAM + "-" + command, help.group(1));
        }
      }
    }
  }

  /** Writes them into {@code folder}, as those of {@code version}. */
  void write(String version, LocalDate date, Path folder) throws IOException {
    for (String name : helps.keySet()) {
      String title =
          ".TH %s 1 %s \"%s\" \"Portolan\"\n"
              .formatted(escaped(name.toUpperCase(Locale.ROOT)), date, escaped(version));
      Files.writeString(folder.resolve(name + ".1"), title + text(name));
    }
  }

  private String text(String name) {
    Map<String, List<String>> sections = new HashMap<>();
    String section = "OPTIONS";
    for (String line : helps.getOrDefault(name, "").lines().toList()) {
      boolean more = line.startsWith(" ".repeat(7)) && !sections.containsKey("OPTIONS");
      if (line.startsWith("Usage: ") || more) {
        add(sections, "SYNOPSIS", escaped(line.replace("Usage:", "      ")));
      } else if (line.equals("Commands:") || line.equals("Examples:")) {
        section = line.substring(0, line.length() - 1).toUpperCase(Locale.ROOT);
      } else if (line.startsWith(" ")) {
        String term = OPTION.matcher(escaped(line)).replaceFirst("$1\\\\fB$2\\\\fR");
        add(sections, section, term);
      } else {
        section = "OPTIONS";
        String text = sections.containsKey("SYNOPSIS") ? "DESCRIPTION" : "NAME";
        if (line.isEmpty()) {
          add(sections, text, ".PP");
        }
        // Short lines, as programs that read such files want them.
        line.replaceAll("(.{40,60}) ", "$1\n")
            .lines()
            .forEach(part -> add(sections, text, escaped(part)));
      }
    }
    String header = String.join("\n", sections.getOrDefault("NAME", List.of()));
    String description =
        Stream.concat(Stream.of(header), sections.getOrDefault("DESCRIPTION", List.of()).stream())
            .collect(Collectors.joining("\n"))
            .replaceAll("(\n\\.PP)+(?=\n|$)", "\n.PP")
            .replaceAll("\n\\.PP$", "");
    StringBuilder text = new StringBuilder(".SH NAME\n" + escaped(name) + " \\-\n");
    text.append(header.substring(0, 1).toLowerCase(Locale.ROOT)).append(header.substring(1));
    text.deleteCharAt(text.length() - 1).append('\n');
    verbatim(text, "SYNOPSIS", sections);
    text.append(".SH DESCRIPTION\n").append(description).append('\n');
    verbatim(text, "OPTIONS", sections);
    verbatim(text, "COMMANDS", sections);
    verbatim(text, "EXAMPLES", sections);
    text.append(".SH \"SEE ALSO\"\n");
    return text.append(related(name)).append('\n').toString();
  }

  private static void add(Map<String, List<String>> sections, String section, String line) {
    sections.computeIfAbsent(section, key -> new ArrayList<>()).add(line);
  }

  private static void verbatim(
      StringBuilder text, String section, Map<String, List<String>> sections) {
    List<String> lines = sections.getOrDefault(section, List.of());
    if (!lines.isEmpty()) {
      // The help fits into a terminal, from its left edge on.
      text.append(
          ".SH %s\n.nf\n.in 0\n%s\n.in\n.fi\n".formatted(section, String.join("\n", lines)));
    }
  }

  /** The command above, and those beside it; all commands where there is none above. */
  private String related(String name) {
    Optional<String> parent = parent(name);
    Stream<String> beside =
        helps.keySet().stream()
            .filter(other -> !other.equals(name))
            .filter(other -> parent(other).equals(Optional.of(parent.orElse(PROGRAM))));
    return Stream.concat(parent.stream(), beside)
        .map(page -> "\\fB" + escaped(page) + "\\fR(1)")
        .collect(Collectors.joining(",\n"));
  }

  private Optional<String> parent(String name) {
    return helps.keySet().stream()
        .filter(other -> name.startsWith(other + "-"))
        .max(Comparator.comparingInt(String::length));
  }

  /** Text that roff takes for nothing but text. */
  private static String escaped(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }
}
