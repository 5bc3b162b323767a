package dev.portolan.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages about the house name modules and classes that exist, and leave out no module. */
final class DocumentsTest {
  /** The name of a class; what has no small letter is another kind of name. */
  private static final Pattern QUOTED = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)[`.]");

  private static final int MOST_WORDS = 2_000;

  @Test
  void everyClassThatAPageOfTheHouseNamesExists() throws IOException {
    Set<String> classes;
    try (Stream<Path> files = Files.walk(Modules.ROOT)) {
      classes =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .map(name -> name.substring(0, name.length() - ".java".length()))
              .collect(Collectors.toSet());
    }
    List<String> wrong = new ArrayList<>();
    for (Path page : pages()) {
      Matcher quoted = QUOTED.matcher(Files.readString(page));
      while (quoted.find()) {
        if (!classes.contains(quoted.group(1))) {
          wrong.add(Modules.ROOT.relativize(page) + ": " + quoted.group(1));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyModuleIsOnThePageOfItsFloor() throws IOException {
    for (String module : Modules.all()) {
      if (module.contains("/")) {
        String page =
            Files.readString(Modules.ROOT.resolve(Modules.floor(module)).resolve("README.md"));
        assertThat(page).as(module).contains(module.substring(module.indexOf('/') + 1));
      }
    }
  }

  @Test
  void theArchitectureIsReadInOneGo() throws IOException {
    String page = Files.readString(Modules.ROOT.resolve("ARCHITECTURE.md"));
    assertThat(page.split("\\s+").length).isLessThanOrEqualTo(MOST_WORDS);
    for (String floor : floors()) {
      assertThat(page).contains("(" + floor + "/README.md)");
    }
  }

  @Test
  void theLauncherBuildsAllThatTheProgramNeeds() throws IOException {
    String launcher = Files.readString(Modules.ROOT.resolve("portolan"));
    Map<String, Set<String>> declared = Modules.declared();
    Set<String> needed = new TreeSet<>();
    // Tests are not compiled. Yet Maven looks for what they need where it packs them (netlink,
    // keeper), and where it generates classes (messages).
    Deque<String> open = new ArrayDeque<>(List.of("workshop/training", "workshop/testbase"));
    while (!open.isEmpty()) {
      String module = open.pop();
      if (needed.add(module)) {
        open.addAll(declared.getOrDefault(module, Set.of()));
      }
    }
    Matcher unbuilt = Pattern.compile("-pl '(.*?)'").matcher(launcher);
    Matcher unwatched = Pattern.compile("<\\(modules '(.*?)'\\)").matcher(launcher);
    assertThat(unbuilt.find() && unwatched.find()).isTrue();
    Set<String> left = new TreeSet<>(List.of(unbuilt.group(1).replace("!", "").split(",")));
    assertThat(new TreeSet<>(List.of(unwatched.group(1).split("[|]")))).isEqualTo(left);
    Set<String> built = new TreeSet<>(Modules.all());
    built.removeAll(left);
    assertThat(built).isEqualTo(needed);
  }

  /** ARCHITECTURE.md, and the pages of floors and modules. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Modules.ROOT.resolve("ARCHITECTURE.md")));
    for (String folder : Stream.concat(floors().stream(), Modules.all().stream()).toList()) {
      Path page = Modules.ROOT.resolve(folder).resolve("README.md");
      if (Files.exists(page)) {
        pages.add(page);
      }
    }
    return pages;
  }

  private static Set<String> floors() throws IOException {
    return Modules.all().stream()
        .filter(module -> module.contains("/"))
        .map(Modules::floor)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
