package dev.portolan.config.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.Case;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.finding.Finding;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every field: its default in both versions, and what happens to a value. */
class FieldsTest {
  static List<List<String>> rows() {
    return Case.rows("field-expectations.txt");
  }

  @ParameterizedTest
  @MethodSource("rows")
  void hasItsDefaults(List<String> row) {
    Settings first = Defaults.apply(Settings.empty(ConfigVersion.V1ALPHA1));
    Settings second = Defaults.apply(Settings.empty(ConfigVersion.V1ALPHA2));
    if (!row.get(0).equals("absent")) {
      assertThat(first.value(row.get(0)))
          .isEqualTo(parse(ConfigVersion.V1ALPHA1, row.get(0), row.get(1)));
    }
    if (!row.get(2).equals("absent")) {
      assertThat(second.value(row.get(2)))
          .isEqualTo(parse(ConfigVersion.V1ALPHA2, row.get(2), row.get(3)));
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isCarriedFromV1alpha1ToV1alpha2(List<String> row) {
    String given = row.get(4);
    String expected = row.get(5).equals("=") ? given : row.get(5);
    Settings source = Settings.empty(ConfigVersion.V1ALPHA1);
    if (!row.get(0).equals("absent")) {
      source = source.with(row.get(0), parse(ConfigVersion.V1ALPHA1, row.get(0), given));
    }
    Conversion.Result result = Conversion.convert(source, ConfigVersion.V1ALPHA2);
    if (expected.equals("absent")) {
      assertThat(result.warnings()).extracting(Finding::path).containsExactly(row.get(0));
      return;
    }
    assertThat(result.settings().value(row.get(2)))
        .isEqualTo(parse(ConfigVersion.V1ALPHA2, row.get(2), expected));
    assertThat(result.warnings()).isEmpty();
  }

  @Test
  void theExpectationsNameEveryField() {
    for (ConfigVersion version : ConfigVersion.values()) {
      int column = version == ConfigVersion.V1ALPHA1 ? 0 : 2;
      Set<String> named =
          rows().stream()
              .map(row -> row.get(column))
              .filter(path -> !path.equals("absent"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(named).isEqualTo(new TreeSet<>(FieldTable.paths(version)));
    }
  }

  @Test
  void theRecordsHaveEveryField() {
    ProxyConfiguration configuration =
        ProxyConfiguration.of(Settings.empty(ConfigVersion.V1ALPHA2));
    assertThat(configuration.settings().values().keySet())
        .isEqualTo(new TreeSet<>(FieldTable.paths(ConfigVersion.V1ALPHA2)));
  }

  @Test
  void everyFieldIsExplained() {
    for (ConfigVersion version : ConfigVersion.values()) {
      for (String path : FieldTable.paths(version)) {
        assertThat(FieldExplanation.explain(path)).contains(version + ": " + path + ", ");
      }
    }
  }

  private static Object parse(ConfigVersion version, String path, String value) {
    return ConfigFile.read("f", Case.file(version, path, value)).written().value(path);
  }
}
