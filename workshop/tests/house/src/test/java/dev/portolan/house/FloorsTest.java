package dev.portolan.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Floors call downwards only; a module says why it is one, and declares what it uses. */
final class FloorsTest {
  private static final Set<String> LOW =
      Set.of("model", "brain", "kernel", "backends", "api", "sources");

  /** Which floors a floor may call beside itself. */
  private static final Map<String, Set<String>> MAY_CALL =
      Map.of(
          "model", Set.of(),
          "brain", Set.of("model"),
          "kernel", Set.of("model"),
          "backends", Set.of("model", "kernel"),
          "api", Set.of("model", "brain", "backends"),
          "sources", Set.of("model", "kernel", "api"),
          "node", LOW,
          "tools", with(LOW, "node"),
          "workshop", with(LOW, "node", "tools"),
          "examples", Set.of());

  /** The folder of a module is the end of its artifact's name, except these. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "brain/decide", "brain",
          "api/messages", "api",
          "workshop/tests/house", "tests-house",
          "workshop/tests/node", "tests-node",
          "workshop/tests/sessions", "tests-sessions");

  /** How a description says why a module is one. */
  private static final Pattern REASON =
      Pattern.compile("(Published alone|Kept apart|Runs by itself)[,:] .*", Pattern.DOTALL);

  private static final int MOST_FOLDERS = 14;

  private static Set<String> with(Set<String> floors, String... more) {
    return Stream.concat(floors.stream(), Stream.of(more))
        .collect(java.util.stream.Collectors.toUnmodifiableSet());
  }

  @Test
  void floorsCallDownwardsOnly() throws IOException {
    List<String> wrong = new ArrayList<>();
    Modules.used()
        .forEach((module, others) -> {
          for (String other : others) {
            String from = Modules.floor(module);
            String to = Modules.floor(other);
            if (!from.equals(to) && !MAY_CALL.get(from).contains(to)) {
              wrong.add(module + " calls " + other);
            }
          }
        });
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyModuleDeclaresWhatItUsesAndNothingElse() throws IOException {
    Map<String, Set<String>> declared = Modules.declared();
    Map<String, Set<String>> used = Modules.used();
    List<String> wrong = new ArrayList<>();
    used.forEach((module, others) -> {
      for (String other : with(others, declared.get(module).toArray(String[]::new))) {
        if (!others.contains(other)) {
          wrong.add(module + " declares " + other + ", and does not use it");
        } else if (!declared.get(module).contains(other)) {
          wrong.add(module + " uses " + other + ", and does not declare it");
        }
      }
    });
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyModuleSaysWhyItIsOne() throws IOException {
    for (String module : Modules.all()) {
      assertThat(Modules.description(module)).as(module).matches(REASON);
    }
  }

  @Test
  void aModuleIsCalledLikeItsFolder() throws IOException {
    for (String module : Modules.all()) {
      String folder = Path.of(module).getFileName().toString();
      String artifact = Modules.artifact(module);
      assertThat(artifact)
          .as(module)
          .matches(
              OTHER_NAMES.containsKey(module)
                  ? OTHER_NAMES.get(module)
                  : "(backend-|source-)?" + folder);
    }
  }

  @Test
  void theRootShowsTheFloors() throws IOException {
    try (Stream<Path> entries = Files.list(Modules.ROOT)) {
      List<String> folders =
          entries
              .filter(Files::isDirectory)
              .map(folder -> folder.getFileName().toString())
              .filter(name -> !name.startsWith(".") && !Set.of("target", "dist").contains(name))
              .toList();
      assertThat(folders).containsAll(MAY_CALL.keySet()).hasSizeLessThanOrEqualTo(MOST_FOLDERS);
    }
  }
}
