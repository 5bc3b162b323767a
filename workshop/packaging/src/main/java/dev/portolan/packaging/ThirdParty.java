package dev.portolan.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The licences of the libraries in an installation, with the texts and notices that they ask for.
 */
final class ThirdParty {
  /** Its name in an installation. */
  static final String NAME = "THIRD-PARTY";

  private static final String FOLDER = "workshop/packaging/src/main/files/third-party";
  private static final String TABLE = "libraries.table";

  private ThirdParty() {}

  /** A row of the table. */
  private record Library(String jar, String name, String license, List<String> texts) {
    static Library parse(String line) {
      String[] cells = line.split("\\|", -1);
      String texts = cells[3].strip();
      return new Library(
          cells[0].strip(),
          cells[1].strip(),
          cells[2].strip(),
          texts.isEmpty() ? List.of() : List.of(texts.split(" ")));
    }
  }

  /**
   * The text for these jars, those of ours left out.
   *
   * @throws BuildFailure where the licence of one is not known
   */
  static String text(Project project, List<Path> jars) throws IOException {
    Path folder = project.root().resolve(FOLDER);
    List<Library> known =
        Files.readAllLines(folder.resolve(TABLE)).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(Library::parse)
            .toList();
    StringBuilder text =
        new StringBuilder("The folder lib has these libraries, as their authors published them.")
            .append(" LICENSE is the text of Apache-2.0;\nthe other texts follow.\n\n");
    Set<String> texts = new TreeSet<>();
    for (String jar : names(jars)) {
      Library library = library(known, jar);
      text.append("%-60s %-28s %s\n".formatted(jar, library.name, library.license));
      texts.addAll(library.texts);
    }
    for (String name : texts) {
      text.append("\n==== ").append(name.replace(".txt", "")).append("\n\n");
      text.append(Files.readString(folder.resolve(name)));
    }
    return text.toString();
  }

  private static List<String> names(List<Path> jars) {
    List<String> names = new ArrayList<>();
    for (Path jar : jars) {
      String name = jar.getFileName().toString();
      if (!name.startsWith("portolan-")) {
        names.add(name);
      }
    }
    return names.stream().sorted().toList();
  }

  private static Library library(List<Library> known, String jar) {
    return known.stream()
        .filter(library -> jar.startsWith(library.jar + "-"))
        .max(Comparator.comparingInt(library -> library.jar.length()))
        .orElseThrow(() ->
            new BuildFailure(
                "%s/%s has no row for %s; add one with its licence".formatted(FOLDER, TABLE, jar)));
  }
}
