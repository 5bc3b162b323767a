package dev.portolan.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.portolan.house.House.check;
import static dev.portolan.house.House.knowsOnly;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What people call and see. */
final class CommandArchitectureTest {
  @Test
  void onlyTheCommandLineKnowsPicocli() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.portolan.cli..",
                "dev.portolan.inspection..",
                "dev.portolan.timemachine..",
                "dev.portolan.options..",
                "dev.portolan.commandline..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli.."));
    knowsOnly(
        "dev.portolan.commandline..",
        "dev.portolan.terminal..",
        "dev.portolan.text..",
        "dev.portolan.core.error..");
  }

  @Test
  void aTerminalShowsValuesAndFetchesNone() {
    knowsOnly("dev.portolan.terminal..", "dev.portolan.core..");
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.terminal")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.terminal.view.."));
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
                "dev.portolan.decision..",
                "dev.portolan.inspection..",
                "dev.portolan.timemachine..",
                "dev.portolan.web..",
                "dev.portolan.cli..",
                "dev.portolan.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.portolan.terminal.."));
  }

  /** Those that neither print as they go nor leave all that takes long to what they read with. */
  @Test
  void aCommandThatCanTakeSecondsSaysWhatItIsBusyWith() {
    check(
        classes()
            .that()
            .haveNameMatching(
                ".*\\.(Analyze|Audit|Bundle|Cleanup|Diff|Doctor|Migrate|Nodes|RecordInfo|Render|Trace"
                    + "|Wait|WhatIf)Command")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("dev.portolan.terminal.Waiting"));
  }

  @Test
  void optionsKnowNoCommand() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.portolan.options..", "dev.portolan.decision..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.cli..",
                "dev.portolan.doctor..",
                "dev.portolan.inspection..",
                "dev.portolan.timemachine..",
                "dev.portolan.web.."));
  }

  @Test
  void theDoctorKnowsNoOptions() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.doctor..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.options..", "dev.portolan.decision..", "dev.portolan.cli.."));
  }

  @Test
  void groupsOfCommandsDoNotKnowEachOther() {
    for (String group : List.of("inspection", "timemachine", "web")) {
      check(
          noClasses()
              .that()
              .resideOutsideOfPackages("dev.portolan." + group + "..", "dev.portolan.cli..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("dev.portolan." + group + ".."));
    }
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.portolan.timemachine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "dev.portolan.walk..",
                "dev.portolan.audit..",
                "dev.portolan.analyze..",
                "dev.portolan.netlink.."));
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
                "dev.portolan.demo..",
                "dev.portolan.bench..")
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
}
