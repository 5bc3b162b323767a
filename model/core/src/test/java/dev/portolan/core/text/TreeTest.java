package dev.portolan.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A declaration is all there is to say of a form. */
final class TreeTest {
  private record Plain(String b, int a, double c, boolean d) {}

  private record Words(NamespacedName id, Verdict verdict, Instant time) {}

  private record Lists(List<Plain> plain, Map<Verdict, Plain> byVerdict) {}

  private record Absent(Optional<String> text, OptionalInt number, Optional<Plain> plain) {}

  private record Sparse(
      @Tree.OmitEmpty String text,
      @Tree.OmitEmpty int number,
      @Tree.OmitEmpty boolean truth,
      @Tree.OmitEmpty List<String> list,
      @Tree.OmitEmpty Map<String, String> map,
      @Tree.OmitEmpty Optional<String> optional) {}

  private record Around(@Tree.Inline Plain plain, @Tree.Named("do") String advice) {}

  @Tree.Fields("sum left")
  record Chosen(int left, int right) {
    int sum() {
      return left + right;
    }

    @Override
    public String toString() {
      return left + "+" + right;
    }
  }

  private record Circle(int radius) implements Tree.Shown {
    @Override
    public Object shown() {
      return Map.of("diameter", 2 * radius);
    }
  }

  private static final Plain PLAIN = new Plain("x", 1, 0.5, true);
  private static final String JSON = "{\"b\":\"x\",\"a\":1,\"c\":0.5,\"d\":true}";

  @Test
  void componentsAreFieldsInTheirOrder() {
    assertThat(json(PLAIN)).isEqualTo(JSON);
  }

  @Test
  void valuesThatSayHowTheyAreWrittenAreTexts() {
    assertThat(json(new Words(new NamespacedName("shop", "web"), Verdict.DROP, Instant.EPOCH)))
        .isEqualTo("{\"id\":\"shop/web\",\"verdict\":\"drop\",\"time\":\"1970-01-01T00:00:00Z\"}");
  }

  @Test
  void whatIsInListsAndMapsIsShownAsWell() {
    assertThat(json(new Lists(List.of(PLAIN), Map.of(Verdict.DROP, PLAIN))))
        .isEqualTo("{\"plain\":[" + JSON + "],\"byVerdict\":{\"drop\":" + JSON + "}}");
  }

  @Test
  void whatIsAbsentIsAnEmptyTextOrZero() {
    assertThat(json(new Absent(Optional.empty(), OptionalInt.empty(), Optional.of(PLAIN))))
        .isEqualTo("{\"text\":\"\",\"number\":0,\"plain\":" + JSON + "}");
  }

  @Test
  void whatIsEmptyIsLeftOutWhereADeclarationSaysSo() {
    assertThat(json(new Sparse("", 0, false, List.of(), Map.of(), Optional.empty())))
        .isEqualTo("{}");
    assertThat(json(new Sparse("x", 1, true, List.of("y"), Map.of("k", "v"), Optional.of("z"))))
        .isEqualTo(
            "{\"text\":\"x\",\"number\":1,\"truth\":true,\"list\":[\"y\"],\"map\":{\"k\":\"v\"},"
                + "\"optional\":\"z\"}");
  }

  @Test
  void fieldsStandAmongThoseAroundThemAndHaveOtherNames() {
    assertThat(json(new Around(PLAIN, "rest"))).isEqualTo(JSON.replace("}", ",\"do\":\"rest\"}"));
  }

  @Test
  void fieldsAreChosenAndCanBeComputed() {
    assertThat(json(new Chosen(1, 2))).isEqualTo("{\"sum\":3,\"left\":1}");
  }

  @Test
  void aValueIsShownAsAnother() {
    assertThat(json(List.of(new Circle(2)))).isEqualTo("[{\"diameter\":4}]");
    assertThat(Tree.of(new Circle(2))).isEqualTo(Map.of("diameter", 4));
    assertThat(Tree.fields(new Circle(2))).isEqualTo(Map.of("radius", 2));
  }

  @Test
  void aTextHasNoFields() {
    assertThatThrownBy(() -> Tree.of("text")).hasMessage("'text' has no fields");
  }

  @Test
  void onlyFieldsThatDifferAreCompared() {
    List<String> seen = new ArrayList<>();
    Tree.differences(
        new Chosen(1, 2), new Chosen(1, 3), (name, old, now) -> seen.add(name + old + now));
    assertThat(seen).containsExactly("sum34");
  }

  private static String json(Object value) {
    return Json.line(Tree.of(Map.of("value", value)).get("value"));
  }
}
