package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** ARCHITECTURE.md names modules, classes and arrows that exist, and leaves out no module. */
final class DocumentsTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
  private static final Pattern OURS = Pattern.compile("<artifactId>portolan-(.*?)</artifactId>");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`(:)?");
  private static final Pattern CLASS = Pattern.compile("[A-Z]\\w+");
  private static final Pattern ARROWS = Pattern.compile("^    (\\S+) .*-> (.*)$");

  @Test
  void everyClassNamedInArchitectureIsInTheModuleNamed() throws IOException {
    Set<String> modules = modules();
    List<String> wrong = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (String row :
        section("## Where to look").lines().filter(l -> l.startsWith("| ")).toList()) {
      String places = row.split("\\|", -1)[2].replaceAll("\\[[^]]*]\\([^)]*\\)", "");
      String module = "";
      Matcher quoted = QUOTED.matcher(places);
      while (quoted.find()) {
        String text = quoted.group(1);
        if (modules.contains(text)) {
          module = text;
          named.add(text);
        } else if (CLASS.matcher(text).matches() ? !has(module, text) : !holds(module, text)) {
          wrong.add("%s: %s in row %s".formatted(module, text, row));
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(named).containsExactlyInAnyOrderElementsOf(modules);
  }

  @Test
  void theArrowsInArchitectureAreThoseOfThePoms() throws IOException {
    Map<String, Set<String>> drawn = new LinkedHashMap<>();
    String table = section("## Modules and arrows").replaceAll("\n {24,}(?=\\S)", " ");
    for (String line : table.lines().toList()) {
      Matcher arrows = ARROWS.matcher(line);
      if (arrows.matches()) {
        String targets = arrows.group(2).strip();
        drawn.put(
            arrows.group(1),
            targets.equals("nothing")
                ? Set.of()
                : new TreeSet<>(Stream.of(targets.split(",")).map(String::strip).toList()));
      }
    }
    Map<String, Set<String>> real = new TreeMap<>();
    for (String module : modules()) {
      real.put(module, dependencies(module));
    }
    assertThat(new TreeMap<>(drawn)).isEqualTo(real);
  }

  @Test
  void everyModuleHasAReadme() throws IOException {
    assertThat(modules()).allSatisfy(module -> assertThat(folder(module, "README.md")).exists());
  }

  @Test
  void theLauncherBuildsAllThatTheProgramNeeds() throws IOException {
    String launcher = Files.readString(ROOT.resolve("portolan"));
    Set<String> needed = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of("workshop/training"));
    while (!open.isEmpty()) {
      String module = open.pop();
      if (needed.add(module)) {
        open.addAll(dependencies(module));
      }
    }
    Matcher unbuilt = Pattern.compile("-pl '(.*?)'").matcher(launcher);
    Matcher unwatched = Pattern.compile("<\\(modules '(.*?)'\\)").matcher(launcher);
    assertThat(unbuilt.find() && unwatched.find()).isTrue();
    Set<String> left = new TreeSet<>(List.of(unbuilt.group(1).replace("!", "").split(",")));
    assertThat(new TreeSet<>(List.of(unwatched.group(1).split("[|]")))).isEqualTo(left);
    Set<String> built = new TreeSet<>(modules());
    built.removeAll(left);
    assertThat(built).isEqualTo(needed);
  }

  private static Set<String> modules() throws IOException {
    Set<String> modules = new TreeSet<>();
    Matcher matcher = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
    while (matcher.find()) {
      modules.add(matcher.group(1));
    }
    return modules;
  }

  /** The modules by the names that others depend on. */
  private static Map<String, String> artifacts() throws IOException {
    Map<String, String> artifacts = new TreeMap<>();
    for (String module : modules()) {
      String pom = Files.readString(folder(module, "pom.xml"));
      Matcher own = OURS.matcher(pom.substring(Math.max(0, pom.indexOf("</parent>"))));
      if (own.find()) {
        artifacts.put(own.group(1), module);
      }
    }
    return artifacts;
  }

  /** The modules that a module needs to run, as its pom says. */
  private static Set<String> dependencies(String module) throws IOException {
    Map<String, String> artifacts = artifacts();
    Set<String> needed = new TreeSet<>();
    // What is only managed is not needed.
    String[] parts =
        Files.readString(folder(module, "pom.xml")).split("</?dependencyManagement>", -1);
    Matcher matcher = DEPENDENCY.matcher(parts[0] + parts[parts.length - 1]);
    while (matcher.find()) {
      Matcher ours = OURS.matcher(matcher.group(1));
      if (ours.find() && !matcher.group(1).contains("<scope>test")) {
        needed.add(artifacts.getOrDefault(ours.group(1), ours.group(1)));
      }
    }
    return needed;
  }

  private static boolean has(String module, String type) throws IOException {
    try (Stream<Path> files =
        Files.find(
            folder(module, "src"), 20, (file, attributes) -> file.endsWith(type + ".java"))) {
      return files.findAny().isPresent();
    }
  }

  /** Whether a path is there, seen from the module or from the root. */
  private static boolean holds(String module, String path) {
    return Files.exists(folder(module, path)) || Files.exists(ROOT.resolve(path));
  }

  private static Path folder(String module, String path) {
    return ROOT.resolve(module).resolve(path);
  }

  private static String section(String heading) throws IOException {
    String document = Files.readString(ROOT.resolve("ARCHITECTURE.md"));
    int start = document.indexOf(heading + "\n");
    assertThat(start).as(heading).isNotNegative();
    int end = document.indexOf("\n## ", start + heading.length());
    return end < 0 ? document.substring(start) : document.substring(start, end);
  }
}
