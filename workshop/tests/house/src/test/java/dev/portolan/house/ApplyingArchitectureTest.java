package dev.portolan.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.portolan.house.House.carriedByNodeValues;
import static dev.portolan.house.House.check;
import static dev.portolan.house.House.knowsOnly;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What applies decisions to a node, and measures how that goes: nothing of Kubernetes. */
final class ApplyingArchitectureTest {
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
                        // What each offers as its mode.
                        "dev.portolan.mode..",
                        "dev.portolan.telemetry.metrics..",
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
  void aBackendKnowsNoOtherButTheTablesThatItFills() {
    Map<String, String> fills = Map.of("ebpf", "nftables", "userspace", "nftables");
    for (String backend :
        List.of("ebpf", "exec", "iptables", "ipvs", "nftables", "userspace", "windows")) {
      String room = "dev.portolan.backend." + backend + "..";
      String other = "dev.portolan.backend." + fills.getOrDefault(backend, backend) + "..";
      check(
          noClasses()
              .that()
              .resideInAPackage(room)
              .should()
              .dependOnClassesThat(
                  resideInAPackage("dev.portolan.backend..")
                      .and(not(resideInAnyPackage(room, other)))));
    }
  }

  @Test
  void whatAModeIsMadeOfKnowsNoMode() {
    knowsOnly(
        "dev.portolan.mode..",
        "dev.portolan.core..",
        "dev.portolan.conntrack..",
        "dev.portolan.sync..",
        "dev.portolan.telemetry.metrics..");
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
                        "dev.portolan.core.error..",
                        "dev.portolan.core.node..",
                        "dev.portolan.conntrack..",
                        "java..",
                        "org.jspecify..")
                    .or(belongToAnyOf(NamespacedName.class))));
  }

  @Test
  void whatIsWiredTogetherIsGivenAsValues() {
    knowsOnly(
        "dev.portolan.wiring..",
        "dev.portolan.brain..",
        "dev.portolan.sync..",
        "dev.portolan.api..",
        "dev.portolan.server..",
        "dev.portolan.telemetry..",
        "dev.portolan.core..");
  }

  @Test
  void takeoverKnowsTheKernelAndTheNamesOfRules() {
    knowsOnly(
        "dev.portolan.takeover..",
        "dev.portolan.backend.iptables..",
        "dev.portolan.backend.ipvs..",
        "dev.portolan.backend.ebpf..",
        "dev.portolan.mode..",
        "dev.portolan.netlink..",
        "dev.portolan.nftables..",
        "dev.portolan.core.backend..",
        "dev.portolan.core.error..",
        "dev.portolan.core.net..",
        "dev.portolan.core.text..");
  }

  @Test
  void walksKnowKernelsAndPacketsAndNothingThatWasDecided() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.walk..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(
                        not(
                            resideInAnyPackage(
                                "dev.portolan.walk..",
                                "dev.portolan.core.net..",
                                "dev.portolan.netlink..",
                                "dev.portolan.nftables..",
                                "dev.portolan.bpf..",
                                "dev.portolan.backend.iptables..",
                                "dev.portolan.backend.ipvs..",
                                "dev.portolan.backend.ebpf..")))
                    .and(not(belongToAnyOf(Verdict.class)))));
  }

  @Test
  void eachKindOfRulesIsReadOnItsOwn() {
    for (String kind : List.of("iptables", "nft")) {
      knowsOnly(
          "dev.portolan.walk." + kind + "..",
          "dev.portolan.walk",
          "dev.portolan.core..",
          "dev.portolan.netlink..",
          "dev.portolan.nftables..",
          "dev.portolan.backend." + kind + "..");
    }
    knowsOnly("dev.portolan.walk", "dev.portolan.core..", "dev.portolan.netlink..");
  }

  @Test
  void theAuditKnowsDecidedValuesAndWalks() {
    knowsOnly(
        "dev.portolan.audit..",
        "dev.portolan.walk",
        "dev.portolan.core..",
        "dev.portolan.netlink.route..");
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
                                "dev.portolan.core.error..",
                                "dev.portolan.core.node..",
                                "dev.portolan.core.net..")))
                    .and(not(carriedByNodeValues()))));
  }

  @Test
  void telemetryKnowsAddressesAndTexts() {
    knowsOnly(
        "dev.portolan.telemetry..",
        "dev.portolan.core.error..",
        "dev.portolan.core.net..",
        "dev.portolan.core.text..");
  }

  @Test
  void theStatusOfAProxyKnowsDecidedValuesAndTheKeeper() {
    knowsOnly(
        "dev.portolan.status..",
        "dev.portolan.telemetry..",
        "dev.portolan.sync..",
        "dev.portolan.core..");
  }
}
