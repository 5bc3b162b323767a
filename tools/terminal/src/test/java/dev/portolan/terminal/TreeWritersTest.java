package dev.portolan.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.text.Json;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

final class TreeWritersTest {
  @Test
  void aTreeBeginsWithItsKindAndVersion() {
    assertThat(Json.line(VersionedTree.of("Explanation", Map.of("answers", List.of()))))
        .isEqualTo("{\"kind\":\"Explanation\",\"apiVersion\":\"portolan.dev/v1\",\"answers\":[]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "80",
        "0x1f",
        "1e3",
        "012",
        "1_000",
        "no",
        "No",
        "y",
        "on",
        "true",
        "null",
        "~",
        "-",
        "- a",
        "a: b",
        "a:b",
        "a #b",
        "#a",
        "'",
        "\"",
        "\\",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`",
        "10.96.0.10",
        "10.96.0.0/16",
        "fd00::1",
        "::1",
        "1:20",
        "2001-01-01",
        ".5",
        ".inf",
        "=",
        "<<",
        "a\nb",
        "a\tb",
        "\u0000",
        "\u001b[1m",
        "\u0085",
        "\u2028",
        "\ufeff",
        "é",
        "…",
        "\ud83d\ude00",
        "{}",
        "[]",
        "{a",
        "a, b",
        "trailing ",
        " leading",
        "worker-1",
        "Pod shop/web",
        "a.b/c-d_e"
      })
  void stringsStayStrings(String value) {
    Map<String, Object> tree = Map.of("key", value, "list", List.of(value));
    assertThat(read(YamlWriter.document(tree))).isEqualTo(tree);
    assertThat(read(Json.pretty(tree))).isEqualTo(tree);
    assertThat(read(Json.line(tree))).isEqualTo(tree);
  }

  @ParameterizedTest
  @ValueSource(strings = {"80", "no", "No", "y", "off", "~", "1:20", "012", "fd00::1"})
  void whatAnOldReaderWouldTakeForSomethingElseIsQuoted(String value) {
    assertThat(YamlWriter.scalar(value)).isEqualTo("\"" + value + "\"");
  }

  @Test
  void addressesAndNamesNeedNoQuotes() {
    for (String value : List.of("10.96.0.10", "10.96.0.0/16", "worker-1", "Pod shop/web-1")) {
      assertThat(YamlWriter.scalar(value)).isEqualTo(value);
    }
  }

  @Test
  void treesComeBackAsTheyWere() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("none", null);
    tree.put("number", 7);
    tree.put("share", 1.0 / 3);
    tree.put("flag", true);
    tree.put("emptyList", List.of());
    tree.put("emptyMap", Map.of());
    tree.put("maps", List.of(Map.of("a", List.of(Map.of("b", 1)), "c", "d"), Map.of()));
    tree.put("mixed", new ArrayList<>(Arrays.asList("a", null, 1, List.of("b"))));
    assertThat(read(YamlWriter.document(tree))).isEqualTo(tree);
    assertThat(read(Json.pretty(tree))).isEqualTo(tree);
    assertThat(Json.line(tree)).hasLineCount(1);
  }

  @Property(tries = 300)
  void anyStringIsPrintableJson(@ForAll String value) {
    String json = Json.quoted(value);
    assertThat(json.chars().noneMatch(Character::isISOControl)).isTrue();
    assertThat(json).startsWith("\"").endsWith("\"");
  }

  private static Object read(String text) {
    return new Load(LoadSettings.builder().build()).loadFromString(text);
  }
}
