package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.FieldRow;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.config.fields.FieldType;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.terminal.Terminal;
import dev.portolan.testbase.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The reference in docs is generated from the program; {@code -Dupdate} rewrites it. */
final class ReferenceTest {
  private static final Path FOLDER = Path.of("docs", "reference");

  @Test
  void theReferenceIsWhatTheProgramSays() throws IOException {
    Map<String, String> pages = pages();
    if (Golden.UPDATE) {
      Files.createDirectories(FOLDER);
      for (String old : written().keySet()) {
        Files.delete(FOLDER.resolve(old));
      }
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Files.writeString(FOLDER.resolve(page.getKey()), page.getValue());
      }
    }
    assertThat(written()).isEqualTo(pages);
  }

  private static Map<String, String> written() throws IOException {
    Map<String, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.toList()) {
        pages.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return pages;
  }

  private static Map<String, String> pages() {
    Map<String, String> pages = new TreeMap<>();
    StringBuilder index =
        new StringBuilder(
            """
            # Reference

            All options of all commands, and all fields of the configuration, as the program itself says them.

            | page | is |
            |---|---|
            | [fields.md](fields.md) | the fields of KubeProxyConfiguration in both versions |
            | [annotations.md](annotations.md) | the annotations of a Service that change what is decided |
            """);
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    add(RootCommand.commandLine(Terminal.plain(nowhere, nowhere)), "", pages, index);
    pages.put("README.md", index.toString());
    pages.put("fields.md", fields());
    pages.put("annotations.md", annotations());
    return pages;
  }

  private static void add(
      CommandLine commands, String before, Map<String, String> pages, StringBuilder index) {
    Set<CommandLine> all = new LinkedHashSet<>(commands.getSubcommands().values());
    for (CommandLine command : all) {
      CommandSpec spec = command.getCommandSpec();
      if (spec.usageMessage().hidden()) {
        continue;
      }
      String words = before + spec.name();
      StringWriter help = new StringWriter();
      Terminal terminal =
          Terminal.plain(new PrintWriter(help), new PrintWriter(Writer.nullWriter()));
      assertThat(CommandRun.run((words + " --help").split(" "), terminal)).as(words).isZero();
      String page = words.replace(' ', '-') + ".md";
      pages.put(page, "# portolan %s\n\n```\n%s```\n".formatted(words, help));
      String what = String.join(" ", spec.usageMessage().header());
      index.append("| [portolan %s](%s) | %s |\n".formatted(words, page, what));
      add(command, words + " ", pages, index);
    }
  }

  private static String annotations() {
    StringBuilder page =
        new StringBuilder(
            """
            # The annotations of a Service

            | annotation | value | what it changes |
            |---|---|---|
            """);
    for (ServiceAnnotation annotation : ServiceAnnotation.values()) {
      page.append(
          "| `%s` | %s | %s |\n"
              .formatted(annotation.key(), annotation.forms(), annotation.effect()));
    }
    return page.toString();
  }

  private static String fields() {
    StringBuilder page =
        new StringBuilder(
            """
            # The fields of KubeProxyConfiguration

            `portolan config explain FIELD` says the same of one field, and what a default depends on.

            | v1alpha1 | v1alpha2 | default | what it does |
            |---|---|---|---|
            """);
    Set<FieldRow> rows = new LinkedHashSet<>();
    for (ConfigVersion version : ConfigVersion.values()) {
      for (String path : FieldTable.paths(version)) {
        rows.add(FieldTable.row(version, path));
      }
    }
    for (FieldRow row : rows) {
      String first = text(row, ConfigVersion.V1ALPHA1);
      String second = text(row, ConfigVersion.V1ALPHA2);
      page.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  path(row, ConfigVersion.V1ALPHA1),
                  path(row, ConfigVersion.V1ALPHA2),
                  first.equals(second) ? first : first + "; in v1alpha2 " + second,
                  row.description().replace("|", "\\|")));
    }
    return page.toString();
  }

  private static String path(FieldRow row, ConfigVersion version) {
    return row.path(version) == null ? "" : "`" + row.path(version) + "`";
  }

  private static String text(FieldRow row, ConfigVersion version) {
    return "`" + FieldType.write(row.defaultValue(version)) + "`";
  }
}
