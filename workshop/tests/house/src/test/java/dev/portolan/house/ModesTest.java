package dev.portolan.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.portolan.house.House.check;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.mode.Mode;
import dev.portolan.modes.KernelModes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Only backends and the list of modes know which modes there are; all others ask the list. */
final class ModesTest {
  /**
   * Which folders may: the modes themselves, kube-proxy's configuration, and what is not shipped.
   */
  private static final Pattern MAY =
      Pattern.compile("(backends|workshop|node/config)/.*|node/modes/.*/modes/.*|.*/migration/.*");

  /** Who has such a word besides, and what it means there. */
  private static final Map<String, String> OTHERWISE =
      Map.ofEntries(
          Map.entry("BrowserProgram", "the name of a system"),
          Map.entry("DemoCommand", "stages of the demo"),
          Map.entry("FirewallChecks", "the name of a program"),
          Map.entry("IpvsWalk", "a part of the kernel"),
          Map.entry("KernelRulesets", "rulesets that can be walked"),
          Map.entry("MatchReader", "a match of iptables"),
          Map.entry("NftRuleset", "a ruleset that can be walked"),
          Map.entry("RuleOwner", "a part of the kernel"));

  @Test
  void nobodyElseHasTheNameOfAMode() throws IOException {
    Set<String> names =
        KernelModes.ALL.stream()
            .flatMap(mode -> Stream.of(mode.name(), mode.word()))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Pattern literal = Pattern.compile("\"(" + String.join("|", names) + ")\"");
    Set<String> found = new TreeSet<>();
    for (String module : Modules.all()) {
      for (Path file : sources(Modules.folder(module).resolve("src/main/java"))) {
        String path = Modules.ROOT.relativize(file).toString();
        if (!MAY.matcher(path).matches() && literal.matcher(Files.readString(file)).find()) {
          found.add(String.valueOf(file.getFileName()).replace(".java", ""));
        }
      }
    }
    assertThat(found).isEqualTo(new TreeSet<>(OTHERWISE.keySet()));
  }

  private static List<Path> sources(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void nobodyElseHasTheClassOfAMode() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.backend..", "dev.portolan.modes..", "dev.portolan.bench..")
            // It says in which kind of iptables rules were found.
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.inspection.audit.FoundRules")
            .should()
            .dependOnClassesThat(assignableTo(Mode.class).and(not(equivalentTo(Mode.class)))));
  }

  @Test
  void nobodyElseHasTheConstantOfAMode() {
    for (String constant : List.of("IPTABLES", "IPVS", "NFTABLES", "KERNELSPACE")) {
      check(
          noClasses()
              .that()
              .resideOutsideOfPackages(
                  "dev.portolan.config..", "dev.portolan.modes..", "dev.portolan.migration..")
              .should()
              .accessField(ProxyMode.class, constant));
    }
  }
}
