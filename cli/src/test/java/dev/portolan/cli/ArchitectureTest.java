package dev.portolan.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.portolan.core.collection.PersistentMap;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Holds the arrows between the rooms of the house. */
final class ArchitectureTest {
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.portolan");

  @Test
  void theHouseIsSeenAsAWhole() {
    for (String room : new String[] {"core.brain", "core.node", "source.file", "cli", "testkit"}) {
      assertThat(HOUSE.containPackage("dev.portolan." + room)).as(room).isTrue();
    }
  }

  @Test
  void coreNeedsNothingButJava() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.core..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.portolan.core..", "java..", "org.jspecify.."));
  }

  @Test
  void coreDoesNoInputAndNoOutput() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.net.."));
  }

  @Test
  void coreHasNoClockAndRollsNoDice() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.core..")
            // Its shape is salted against hostile names; what it holds is not.
            .and()
            .doNotBelongToAnyOf(PersistentMap.class)
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.util\\..*Random.*"));
  }

  @Test
  void whatIsKnownDoesNotKnowWhatIsDecided() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "dev.portolan.core.cluster..",
                "dev.portolan.core.net..",
                "dev.portolan.core.collection..",
                "dev.portolan.core.node..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.portolan.core.brain..", "dev.portolan.core.backend.."));
  }

  @Test
  void theBrainKnowsNoBackendAndABackendNoBrain() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.core.brain..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.core.backend.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.core.backend..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.core.brain.."));
  }

  @Test
  void sourcesKnowTheClusterAndAReaderOfYaml() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.source..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.source..",
                "dev.portolan.core..",
                "java..",
                "org.jspecify..",
                "org.snakeyaml.engine.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.source..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.core.brain..",
                "dev.portolan.core.node..",
                "dev.portolan.core.backend.."));
  }

  @Test
  void onlyTheCommandLineKnowsPicocli() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.portolan.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli.."));
  }

  @Test
  void nobodyKnowsTheCommandLineTheTestsOrTheMeasurements() {
    for (String room : new String[] {"cli", "testkit", "bench"}) {
      check(
          noClasses()
              .that()
              .resideOutsideOfPackage("dev.portolan." + room + "..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("dev.portolan." + room + ".."));
    }
  }

  @Test
  void namesSayWhatAThingIs() {
    check(noClasses().should().haveNameMatching(".*(Manager|Helper|Util|Utils|Impl)(\\$.*)?"));
  }

  private static void check(ArchRule rule) {
    rule.check(HOUSE);
  }
}
