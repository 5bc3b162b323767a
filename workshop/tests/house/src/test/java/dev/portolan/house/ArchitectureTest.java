package dev.portolan.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.portolan.house.House.check;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.portolan.core.error.Threads;
import dev.portolan.core.text.Tree;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** The whole house: its rooms, and what only some of them may do. */
final class ArchitectureTest {
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
            "source.record",
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
            "mode",
            "takeover",
            "modes",
            "migration",
            "compare",
            "compare.decisions",
            "compare.events",
            "walk",
            "walk.iptables",
            "walk.nft",
            "walk.ipvs",
            "walk.kernel",
            "audit",
            "analyze",
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
            "decision",
            "options",
            "inspection.analyze",
            "inspection.audit",
            "inspection.trace",
            "timemachine.diff",
            "timemachine.record",
            "timemachine.replay",
            "timemachine.whatif",
            "web",
            "web.answer",
            "web.http",
            "web.state",
            "lab",
            "packets",
            "conformance",
            "bench",
            "packaging")) {
      assertThat(House.CLASSES.containPackage("dev.portolan." + room)).as(room).isTrue();
    }
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
                  "dev.portolan.decision..",
                  "dev.portolan.timemachine..",
                  "dev.portolan.inspection..",
                  "dev.portolan.walk..",
                  "dev.portolan.cli..",
                  "dev.portolan.packets..",
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
                "dev.portolan.mode..",
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
  void noThreadEndsInSilence() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                // What they throw fails the test or the measurement.
                "dev.portolan.testkit..", "dev.portolan.bench..", "dev.portolan.training..")
            .and()
            .haveNameNotMatching("dev[.]portolan[.]core[.]error[.](Threads|GuardedTimer)")
            // The thread that sends the visitor waits for it, and gets what it throws.
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.netlink.NetworkNamespace")
            .should()
            .accessTargetWhere(describe("that start threads", ArchitectureTest::startsThreads)));
  }

  private static boolean startsThreads(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    if (name.equals("<init>")) {
      // Netty's own go through Threads, too.
      return owner.isAssignableTo(EventExecutorGroup.class)
          ? access.getOriginOwner().getDirectDependenciesFromSelf().stream()
              .noneMatch(it -> it.getTargetClass().isEquivalentTo(Threads.class))
          : owner.isAssignableTo(Thread.class)
              || owner.isAssignableTo(ExecutorService.class)
              || owner.isEquivalentTo(Timer.class);
    }
    if (owner.isEquivalentTo(CompletableFuture.class)) {
      return name.endsWith("Async")
          && access.getTarget() instanceof CodeUnitAccessTarget method
          && method.getRawParameterTypes().stream()
              .noneMatch(it -> it.isEquivalentTo(Executor.class));
    }
    return (owner.isEquivalentTo(Thread.class)
            && name.matches("ofVirtual|ofPlatform|startVirtualThread"))
        || (owner.isEquivalentTo(Executors.class) && name.startsWith("new"))
        || owner.isEquivalentTo(ForkJoinPool.class);
  }

  @Test
  void programsAreStartedInTheNamedPlacesAlone() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.testbase..",
                "dev.portolan.lab..",
                "dev.portolan.testkit..",
                "dev.portolan.packets..",
                "dev.portolan.conformance..",
                "dev.portolan.demo..",
                "dev.portolan.bench..",
                "dev.portolan.packaging..")
            // A kubeconfig may name a program that makes credentials.
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.apiserver.ExecPlugin")
            // A plugin of kubectl asks kubectl.
            .and()
            .haveNameNotMatching("dev[.]portolan[.]commandline[.]kubectl[.]KubectlProgram([$].*)?")
            // A person may want the chart in a browser at once.
            .and()
            .doNotHaveFullyQualifiedName("dev.portolan.cli.chart.BrowserProgram")
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

  @Test
  void theFieldsThatATreeShowsAreMethodsOfTheirClass() {
    List<JavaClass> shown =
        House.CLASSES.stream().filter(type -> type.isAnnotatedWith(Tree.Fields.class)).toList();
    assertThat(shown).isNotEmpty();
    for (JavaClass type : shown) {
      for (String field : type.getAnnotationOfType(Tree.Fields.class).value().split(" ", -1)) {
        assertThat(type.tryGetMethod(field)).as(type.getName() + "." + field).isPresent();
      }
    }
  }
}
