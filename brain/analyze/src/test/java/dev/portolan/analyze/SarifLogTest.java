package dev.portolan.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.analyze.ClusterFinding.Place;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.text.Json;
import dev.portolan.text.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The main rules of SARIF 2.1.0, which code hosts check before they take a file. */
final class SarifLogTest {
  private static final ClusterFinding FOUND =
      Analysis.mistakes()
          .getFirst()
          .in(ObjectRef.service(new NamespacedName("shop", "web")), "spec.type", "is \"odd\"");

  @Test
  void aLogHasItsVersionAndOneRunWithAllRules() {
    Field log = log(List.of(FOUND));
    assertThat(log.at("version").text()).isEqualTo("2.1.0");
    assertThat(log.at("$schema").text()).endsWith("sarif-2.1.0.json");
    assertThat(log.at("runs").items()).hasSize(1);
    Field driver = run(log).at("tool").at("driver");
    assertThat(driver.at("name").text()).isEqualTo("portolan analyze");
    assertThat(driver.at("rules").items())
        .hasSize(Analysis.mistakes().size())
        .allSatisfy(rule -> {
          assertThat(rule.at("id").text()).startsWith("P0");
          assertThat(rule.at("shortDescription").at("text").text()).isNotEmpty();
          assertThat(rule.at("defaultConfiguration").at("level").text())
              .isIn(Set.of("error", "warning", "note"));
        });
  }

  @Test
  void aResultNamesItsRuleALevelAMessageAndTheObject() {
    Field result = run(log(List.of(FOUND))).at("results").items().getFirst();
    assertThat(result.at("ruleId").text()).isEqualTo("P0101");
    assertThat(result.at("ruleIndex").number()).isZero();
    assertThat(result.at("level").text()).isEqualTo("error");
    assertThat(result.at("message").at("text").text())
        .startsWith("Service shop/web: spec.type: is \"odd\". Users see: ");
    Field location = result.at("locations").items().getFirst();
    assertThat(location.has("physicalLocation")).isFalse();
    Field logical = location.at("logicalLocations").items().getFirst();
    assertThat(logical.at("fullyQualifiedName").text()).isEqualTo("Service shop/web spec.type");
  }

  @Test
  void aPlaceIsAReferenceAndALine() {
    assertThat(uri("manifests/my shop/web.yaml")).isEqualTo("manifests/my%20shop/web.yaml");
    assertThat(uri("./web.yaml")).isEqualTo("web.yaml");
    assertThat(uri("/srv/a#b.yaml")).isEqualTo("file:///srv/a%23b.yaml");
    assertThat(uri("standard input")).isEqualTo("standard%20input");
  }

  @Test
  void withoutFindingsThereAreResultsAllTheSame() {
    assertThat(run(log(List.of())).has("results")).isTrue();
  }

  private static String uri(String file) {
    Field physical =
        run(log(List.of(FOUND.at(new Place(file, 7)))))
            .at("results")
            .items()
            .getFirst()
            .at("locations")
            .items()
            .getFirst()
            .at("physicalLocation");
    assertThat(physical.at("region").at("startLine").number()).isEqualTo(7);
    return physical.at("artifactLocation").at("uri").text();
  }

  private static Field run(Field log) {
    return log.at("runs").items().getFirst();
  }

  private static Field log(List<ClusterFinding> findings) {
    String json = Json.pretty(SarifLog.tree(findings, "1.2.3"));
    return Field.parse("log", "log", json.getBytes(StandardCharsets.UTF_8));
  }
}
