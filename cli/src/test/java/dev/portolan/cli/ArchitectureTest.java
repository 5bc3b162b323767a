package dev.portolan.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.portolan.brain.Brain;
import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.FamilyPolicy;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.Balancing;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds the arrows between the rooms of the house. */
final class ArchitectureTest {
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.portolan");

  @Test
  void theHouseIsSeenAsAWhole() {
    for (String room :
        List.of(
            "brain",
            "explain",
            "core.node",
            "text",
            "sync",
            "tls",
            "api",
            "server",
            "client",
            "config",
            "source.file",
            "source.kube",
            "source.objects",
            "source.union",
            "netlink",
            "netlink.conntrack",
            "nftables",
            "nftables.table",
            "conntrack",
            "telemetry.http",
            "telemetry.log",
            "telemetry.metrics",
            "status",
            "localhost",
            "backend.exec",
            "backend.iptables",
            "backend.ipvs",
            "backend.nftables",
            "backend.windows",
            "takeover",
            "modes",
            "migration",
            "daemon",
            "apiserver",
            "wiring",
            "terminal",
            "terminal.view",
            "terminal.query",
            "commandline",
            "commandline.kubectl",
            "doctor",
            "doctor.bundle",
            "demo",
            "cli",
            "cli.command",
            "cli.config",
            "cli.decision",
            "options",
            "lab",
            "testkit",
            "packets",
            "conformance")) {
      assertThat(HOUSE.containPackage("dev.portolan." + room)).as(room).isTrue();
    }
  }

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
  void backendsKnowDecidedValuesAndTheKernel() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.backend..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                        "dev.portolan.backend..",
                        "dev.portolan.core.backend..",
                        "dev.portolan.core.error..",
                        "dev.portolan.core.node..",
                        "dev.portolan.core.net..",
                        "dev.portolan.core.collection..",
                        "dev.portolan.core.text..",
                        "dev.portolan.netlink..",
                        "dev.portolan.nftables..",
                        "dev.portolan.bpf..",
                        // What Windows answers is JSON.
                        "dev.portolan.text..",
                        "java..",
                        "org.jspecify..")
                    .or(carriedByNodeValues())));
  }

  @Test
  void tlsKnowsTheCodesOfErrors() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.tls..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.tls..", "dev.portolan.core.error..")))));
  }

  @Test
  void netlinkKnowsNobody() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.netlink..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.portolan.netlink..", "java..", "org.jspecify.."));
  }

  @Test
  void tablesKnowTheKernelAndDecidedValues() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.nftables")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.nftables", "dev.portolan.netlink", "java..", "org.jspecify.."));
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.nftables.table..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                        "dev.portolan.nftables..",
                        "dev.portolan.netlink",
                        "dev.portolan.core.backend..",
                        "dev.portolan.core.error..",
                        "dev.portolan.core.node..",
                        "dev.portolan.core.net..",
                        "dev.portolan.core.text..",
                        "java..",
                        "org.jspecify..")
                    .or(carriedByNodeValues())));
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
  void theApiServersClientKnowsTextsAndKeys() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.apiserver..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.apiserver..",
                                "dev.portolan.core..",
                                "dev.portolan.text..",
                                "dev.portolan.tls..")))));
  }

  @Test
  void telemetryKnowsAddressesAndTexts() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.telemetry..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.telemetry..",
                                "dev.portolan.text..",
                                "dev.portolan.core.error..",
                                "dev.portolan.core.net..",
                                "dev.portolan.core.text..")))));
  }

  @Test
  void theStatusOfAProxyKnowsDecidedValuesAndTheKeeper() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.status..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.status..",
                                "dev.portolan.telemetry..",
                                "dev.portolan.sync..",
                                "dev.portolan.core..")))));
  }

  @Test
  void nodePortsOnLocalhostKnowDecidedValuesOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.localhost..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.localhost..",
                                "dev.portolan.core.node..",
                                "dev.portolan.core.net..")))
                    .and(not(carriedByNodeValues()))));
  }

  @Test
  void conntrackKnowsDecidedValuesAndTheKernel() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.conntrack..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                        "dev.portolan.conntrack..",
                        "dev.portolan.core.backend..",
                        "dev.portolan.core.node..",
                        "dev.portolan.core.net..",
                        "dev.portolan.core.collection..",
                        "dev.portolan.netlink..",
                        "java..",
                        "org.jspecify..")
                    .or(carriedByNodeValues())));
  }

  @Test
  void theKeeperKnowsABackendAndTheEndOfFlows() {
    check(
        classes()
            .that()
            .resideInAPackage("dev.portolan.sync..")
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(
                        "dev.portolan.sync..",
                        "dev.portolan.core.backend..",
                        "dev.portolan.core.node..",
                        "dev.portolan.conntrack..",
                        "java..",
                        "org.jspecify..")
                    .or(belongToAnyOf(NamespacedName.class))));
  }

  @Test
  void whatIsWiredTogetherIsGivenAsValues() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.wiring..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.wiring..",
                                "dev.portolan.brain..",
                                "dev.portolan.sync..",
                                "dev.portolan.api..",
                                "dev.portolan.server..",
                                "dev.portolan.telemetry..",
                                "dev.portolan.core..")))));
  }

  @Test
  void takeoverKnowsTheKernelAndTheNamesOfRules() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.takeover..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.takeover..",
                                "dev.portolan.backend.iptables..",
                                "dev.portolan.backend.ipvs..",
                                "dev.portolan.backend.ebpf..",
                                "dev.portolan.netlink..",
                                "dev.portolan.nftables..",
                                "dev.portolan.core.backend..",
                                "dev.portolan.core.net..",
                                "dev.portolan.core.text..")))));
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
                "dev.portolan.explain..",
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

  /** Words of the cluster that a decided value carries as they are. */
  private static DescribedPredicate<JavaClass> carriedByNodeValues() {
    return belongToAnyOf(NamespacedName.class, ServiceType.class, ServiceMetadata.class);
  }

  @Test
  void onlyTheDaemonAndTheCommandLineKnowSeveralRooms() {
    for (String room : List.of("config", "source", "backend")) {
      check(
          noClasses()
              .that()
              .resideOutsideOfPackages(
                  "dev.portolan." + room + "..",
                  "dev.portolan.daemon..",
                  "dev.portolan.migration..",
                  "dev.portolan.takeover..",
                  "dev.portolan.modes..",
                  "dev.portolan.demo..",
                  "dev.portolan.doctor..",
                  "dev.portolan.options..",
                  "dev.portolan.cli..",
                  "dev.portolan.packets..",
                  "dev.portolan.conformance..",
                  "dev.portolan.testkit..",
                  "dev.portolan.bench..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("dev.portolan." + room + ".."));
    }
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.conntrack..",
                "dev.portolan.sync..",
                "dev.portolan.client..",
                "dev.portolan.daemon..",
                "dev.portolan.demo..",
                "dev.portolan.options..",
                "dev.portolan.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.conntrack.."));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "dev.portolan.lab..",
                "dev.portolan.testkit..",
                "dev.portolan.packets..",
                "dev.portolan.conformance..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.backend..", "dev.portolan.conntrack..", "dev.portolan.daemon.."));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "dev.portolan.lab..", "dev.portolan.packets..", "dev.portolan.conformance..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.junit.."));
  }

  @Test
  void onlyTheClassesForItCallForeignCode() {
    check(
        noClasses()
            .that()
            .haveNameNotMatching(
                "dev\\.portolan\\.(netlink\\.(CLibrary|Libc)|bpf\\.BpfCalls)(\\$.*)?")
            // It loads functions of Windows, which links nothing of Linux.
            .and()
            .haveNameNotMatching(
                "dev\\.portolan\\.backend\\.windows\\.hcn\\.ComputeNetwork(\\$.*)?")
            // Java has no SCTP that the lab could use.
            .and()
            .haveNameNotMatching("dev\\.portolan\\.lab\\.RawSocket(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.lang.foreign.."));
  }

  @Test
  void onlyTheLabAndTheDemoStartPrograms() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.lab..",
                "dev.portolan.testkit..",
                "dev.portolan.packets..",
                "dev.portolan.conformance..",
                "dev.portolan.demo..")
            // A kubeconfig may name a program that makes credentials.
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.apiserver.ExecPlugin")
            // A plugin of kubectl asks kubectl.
            .and()
            .haveNameNotMatching("dev[.]portolan[.]commandline[.]kubectl[.]KubectlProgram([$].*)?")
            // A backend may be a program, or need those of iptables.
            .and()
            .haveNameNotMatching(
                "dev[.]portolan[.](backend[.](exec[.]ProgramRun|iptables[.]IptablesProgram)|terminal[.]Screen)([$].*)?")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(ProcessBuilder.class, Process.class)
            .orShould()
            .callMethodWhere(target(owner(equivalentTo(Runtime.class))).and(target(name("exec")))));
  }

  @Test
  void onlyTheCommandLineKnowsPicocli() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.cli..", "dev.portolan.options..", "dev.portolan.commandline..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.commandline..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.commandline..",
                                "dev.portolan.terminal..",
                                "dev.portolan.text..")))));
  }

  @Test
  void aTerminalShowsValuesAndFetchesNone() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.terminal..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.terminal..",
                                "dev.portolan.core..",
                                "dev.portolan.explain..",
                                "dev.portolan.api..")))));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.terminal")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.terminal.view..", "dev.portolan.explain..", "dev.portolan.api.."));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.terminal..",
                "dev.portolan.commandline..",
                "dev.portolan.migration..",
                "dev.portolan.doctor..",
                "dev.portolan.demo..",
                "dev.portolan.options..",
                "dev.portolan.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.terminal.."));
  }

  @Test
  void optionsKnowNoCommand() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.options..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.cli.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.cli.decision..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan.cli..")
                    .and(not(resideInAPackage("dev.portolan.cli.decision..")))));
  }

  @Test
  void nobodyKnowsTheCommandLineOrTheMeasurements() {
    for (String room : List.of("cli", "bench")) {
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
  void onlyTheDemoPlaysInTheLab() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.lab..",
                "dev.portolan.testkit..",
                "dev.portolan.packets..",
                "dev.portolan.conformance..",
                "dev.portolan.demo..")
            // It asks whether there can be a lab before it raises the curtain.
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.cli.command.DemoCommand")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.lab.."));
  }

  @Test
  void onlyItsCommandKnowsTheDemo() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.portolan.demo..")
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.cli.command.DemoCommand")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.demo.."));
  }

  @Test
  void whatIsForTestsStaysWithThem() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("dev.portolan.testkit..", "dev.portolan.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.testkit.."));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.conformance..", "dev.portolan.testkit..", "dev.portolan.bench..")
            // It is the kit for authors of backends.
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.cli.command.ConformanceCommand")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.conformance.."));
  }

  @Test
  void namesSayWhatAThingIs() {
    check(
        noClasses()
            .that()
            // The kernel's own word for what programs of BPF call.
            .doNotHaveFullyQualifiedName("dev.portolan.bpf.Helper")
            .should()
            .haveNameMatching(".*(Manager|Helper|Util|Utils|Impl)(\\$.*)?"));
  }

  private static void check(ArchRule rule) {
    rule.check(HOUSE);
  }
}
