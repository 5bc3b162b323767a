package dev.portolan.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.ServiceType;
import java.util.regex.Pattern;

/**
 * All classes that are shipped, measure that or pack it, read once for the tests of the arrows
 * between its rooms.
 */
final class House {
  private static final Pattern WORKSHOP =
      Pattern.compile(".*/workshop/(testbase|testkit|training)/.*");

  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .withImportOption(location -> !location.matches(WORKSHOP))
          .importPackages("dev.portolan");

  private House() {}

  static void check(ArchRule rule) {
    rule.check(CLASSES);
  }

  /** Of the house, a room knows itself and {@code others} alone. */
  static void knowsOnly(String room, String... others) {
    check(
        noClasses()
            .that()
            .resideInAPackage(room)
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.portolan..")
                    .and(not(resideInAPackage(room)))
                    .and(not(resideInAnyPackage(others)))));
  }

  /** Words of the cluster that a decided value carries as they are. */
  static DescribedPredicate<JavaClass> carriedByNodeValues() {
    return belongToAnyOf(NamespacedName.class, ServiceType.class, ServiceMetadata.class);
  }
}
