package dev.portolan.terminal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LabelSelectorTest {
  private static final Map<String, String> LABELS =
      Map.of("app", "web", "tier", "front", "example.com/team", "shop", "empty", "");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          app=web | true
          app==web | true
          app = web | true
          app=api | false
          app!=api | true
          app!=web | false
          gone!=x | true
          app | true
          gone | false
          !gone | true
          !app | false
          app in (web, api) | true
          app in (api) | false
          app notin (api,db) | true
          app notin (web) | false
          gone notin (x) | true
          empty= | true
          app=web,tier=front | true
          app in (web,api),tier=back | false
          app=web,!gone,example.com/team=shop | true
          """)
  void selectsAsKubectlDoes(String selector, boolean matches) {
    assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(matches);
  }

  @Test
  void whatIsNotASelectorIsSaid() {
    for (String wrong : new String[] {"app web", "=x", "app=web,", "app in web", "-x=y"}) {
      assertThatThrownBy(() -> LabelSelector.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not a selector; write key=value");
    }
  }
}
