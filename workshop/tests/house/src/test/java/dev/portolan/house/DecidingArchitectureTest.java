package dev.portolan.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.portolan.house.House.check;
import static dev.portolan.house.House.knowsOnly;

import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.FamilyPolicy;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.error.Failures;
import dev.portolan.core.node.Balancing;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What decides, and what it reads: nothing of a kernel, and nothing of how it is shown. */
final class DecidingArchitectureTest {
  @Test
  void coreAndTheBrainNeedNothingButJava() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.brain..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.brain..", "dev.portolan.core..", "java..", "org.jspecify.."));
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.core..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.portolan.core..", "java..", "org.jspecify.."));
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.explain..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.explain..",
                "dev.portolan.brain..",
                "dev.portolan.core..",
                "java..",
                "org.jspecify.."));
  }

  @Test
  void coreDoesNoInputAndNoOutput() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "dev.portolan.core..", "dev.portolan.brain..", "dev.portolan.explain..")
            // Failures without a listener are printed on standard error.
            .and()
            .doNotBelongToAnyOf(Failures.class)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.net.."));
  }

  @Test
  void coreHasNoClockAndRollsNoDice() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "dev.portolan.core..", "dev.portolan.brain..", "dev.portolan.explain..")
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
            .resideInAnyPackage("dev.portolan.brain..", "dev.portolan.core.backend.."));
  }

  @Test
  void whatIsExplainedIsADecisionAndNotTheBrainItself() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.explain..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Brain.class, NodeView.class));
  }

  @Test
  void theBrainKnowsNoBackendAndABackendNoBrain() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.portolan.brain..", "dev.portolan.explain..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.core.backend.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.core.backend..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.brain.."));
  }

  @Test
  void theConfigurationKnowsAddressesTheBrainsSettingsAndTexts() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.config..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                        "dev.portolan.config..",
                        "dev.portolan.core.error..",
                        "dev.portolan.core.net..",
                        "dev.portolan.core.text..",
                        "dev.portolan.text..",
                        "java..",
                        "org.jspecify..")
                    .or(
                        belongToAnyOf(
                            Balancing.class,
                            BrainSettings.class,
                            FamilyPolicy.class,
                            NodeSettings.class))));
  }

  @Test
  void thePackagesOfTheConfigurationHaveNoCycles() {
    check(slices().matching("dev.portolan.config.(*)..").should().beFreeOfCycles());
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.config.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.config"));
  }

  @Test
  void sourcesKnowTheClusterAndTexts() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.source..")
            // The entries of a recording are messages of the API.
            .and()
            .resideOutsideOfPackage("dev.portolan.source.record..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.source..",
                "dev.portolan.apiserver..",
                "dev.portolan.core..",
                "dev.portolan.text..",
                "dev.portolan.tls..",
                "java..",
                "javax.net.ssl..",
                "javax.security.auth.x500..",
                "org.jspecify.."));
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.source.record..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.source.record..",
                "dev.portolan.api..",
                "dev.portolan.core..",
                "com.google.protobuf..",
                "java..",
                "org.jspecify.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.source.kube..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.source.file.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.source..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.brain..", "dev.portolan.core.node..", "dev.portolan.core.backend.."));
  }

  @Test
  void aRecordingKnowsObjectsAndTheirMessages() {
    knowsOnly("dev.portolan.source.record..", "dev.portolan.core..", "dev.portolan.api..");
  }

  @Test
  void whatComparesClustersKnowsObjectsAndDecisions() {
    knowsOnly(
        "dev.portolan.compare..",
        "dev.portolan.core..",
        "dev.portolan.text..",
        "dev.portolan.brain..");
    check(slices().matching("dev.portolan.compare.(*)..").should().beFreeOfCycles());
  }

  @Test
  void whatAnalyzesAClusterKnowsObjectsAndDecisions() {
    knowsOnly(
        "dev.portolan.analyze..",
        "dev.portolan.core..",
        "dev.portolan.text..",
        "dev.portolan.brain..");
  }

  @Test
  void textKnowsAReaderOfYaml() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.text..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.text..",
                "dev.portolan.core.error..",
                "dev.portolan.core.net..",
                "dev.portolan.core.text..",
                "java..",
                "org.jspecify..",
                "org.snakeyaml.engine.."));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.portolan.text..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.snakeyaml.."));
  }

  @Test
  void tlsKnowsTheCodesOfErrors() {
    knowsOnly("dev.portolan.tls..", "dev.portolan.core.error..");
  }

  @Test
  void theApiServersClientKnowsTextsAndKeys() {
    knowsOnly(
        "dev.portolan.apiserver..",
        "dev.portolan.core..",
        // It ends connections whose packets vanish.
        "dev.portolan.netlink..",
        "dev.portolan.text..",
        "dev.portolan.tls..");
  }

  @Test
  void theServerKnowsABrainAndTheApiAndNobodyElse() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.server..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.server..",
                "dev.portolan.api..",
                "dev.portolan.brain..",
                "dev.portolan.explain..",
                "dev.portolan.core..",
                "dev.portolan.tls..",
                "com.google.protobuf..",
                "io.grpc..",
                "io.netty..",
                "java..",
                "javax.naming..",
                "javax.net.ssl..",
                "javax.security.auth.x500..",
                "jdk.net..",
                "org.jspecify.."));
  }

  @Test
  void theClientKnowsTheApiAndNoBrain() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.brain..",
                "dev.portolan.server..",
                "dev.portolan.netlink..",
                "dev.portolan.daemon.."));
  }

  /** All others get routes: what was decided, not what was asked for. */
  @Test
  void onlyTheBrainAndWhatCarriesObjectsKnowTrafficPolicies() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.core.cluster..",
                "dev.portolan.brain..",
                "dev.portolan.compare..",
                "dev.portolan.explain..",
                "dev.portolan.analyze..",
                "dev.portolan.source..",
                "dev.portolan.packets..",
                "dev.portolan.conformance..",
                "dev.portolan.testkit..",
                "dev.portolan.bench..")
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.api.KpngObjects")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(TrafficPolicy.class));
  }
}
