package dev.portolan.backend.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.exec.Answer.Applied;
import dev.portolan.backend.exec.Answer.Failed;
import dev.portolan.backend.exec.Answer.Unclear;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which lines are answers. */
final class AnswerTest {
  @Test
  void answersAreRead() {
    assertThat(Answer.parse("{\"applied\": 7}")).contains(new Applied(7));
    assertThat(Answer.parse("  {\"applied\":0,\"took\":0.25,\"ok\":true,\"x\":null} "))
        .contains(new Applied(0));
    assertThat(Answer.parse("{\"failed\": 8, \"error\": \"a \\\"b\\\"\\u0041\\n\"}"))
        .contains(new Failed(8, "a \"b\"A"));
    assertThat(Answer.parse("{\"error\":\"why\",\"failed\":8}")).contains(new Failed(8, "why"));
    assertThat(Answer.parse("{\"failed\": 8}")).contains(new Failed(8, "no reason given"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"applied\": -7}",
        "{\"applied\": 7.5}",
        "{\"applied\": \"7\"}",
        "{\"applied\": null}",
        "{\"applied\": 12345678901234567890}",
        "{\"took\": 3, \"failed\": \"7\"}",
        "{\"applied\": 7, \"failed\": true}"
      })
  void anAnswerWithoutANumberIsUnclear(String line) {
    assertThat(Answer.parse(line))
        .contains(new Unclear(line, "its revision must be a whole number"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"applied\": 7",
        "{\"applied\": 7} done",
        "{\"applied\": {\"revision\": 7}}",
        "{\"applied\": [7]}",
        "{\"applied\" 7}",
        "{\"applied\": 7,}",
        "{'applied': 7}",
        "{applied: 7}",
        "{\"took\": {\"s\": 1}, \"applied\": 7}",
        "{\"applied\": 7, \"x\": \"\\u00\"}",
        "{\"applied\": 7, \"x\": \"\\q\"}",
        "[{\"applied\": 7}]"
      })
  void anAnswerThatIsNotAPlainObjectIsUnclear(String line) {
    assertThat(Answer.parse(line))
        .contains(
            new Unclear(line, "it must be one object of JSON, with no object or list inside"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "applied 7",
        "applied: 7",
        "rule failed",
        "{\"level\": \"info\", \"msg\": \"7 rules applied\"}",
        "{\"level\": \"error\", \"msg\": \"flush, \\\"failed\\\"\", \"fields\": {}}"
      })
  void whatIsNotMeantAsOneIsNone(String line) {
    assertThat(Answer.parse(line)).isEmpty();
  }

  @Property
  void noLineIsTooMuch(@ForAll String line) {
    assertThat(Answer.parse(line)).isNotNull();
    assertThat(Answer.parse("{\"applied\":" + line)).isNotNull();
  }
}
