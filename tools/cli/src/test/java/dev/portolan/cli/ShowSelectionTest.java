package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people who know kubectl type. */
final class ShowSelectionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "svc/web",
        "service/web",
        "services/shop/web",
        "services web",
        "svc shop/web",
        "svc web -n shop",
        "svc web -n monitoring -A"
      })
  void oneServiceByName(String words) {
    Result result = show(words);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.lines()).hasSize(3).element(1).asString().startsWith("shop/web:http ");
  }

  @Test
  void severalNamesAndShortNames() {
    assertThat(show("svc web cart -o name").lines())
        .containsExactly("service/shop/cart", "service/shop/web");
    assertThat(show("ep/storefront --no-headers").lines()).hasSize(2);
    assertThat(show("no -o name").lines()).containsExactly("node/worker-1");
    assertThat(show("-A").out()).isEqualTo(show("").out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          svc/nope | 1 | no service 'nope' of file:
          svc web -n monitoring | 1 | no service 'web' in namespace 'monitoring' of file:
          svc/web ep/web | 2 | 'ep/web': list one type at a time, services or endpoints
          svc/ | 2 | what to list: 'svc/' is not allowed
          -o items | 2 | -o items needs --api and --watch
          -o jsonpath | 2 | -o: jsonpath needs a template
          -o jsonpath={.a | 2 | -o jsonpath: '{.a': expected '}' at the end
          -o custom-columns=NAME | 2 | -o custom-columns: 'NAME' is not a column; write TITLE:PATH
          --sort-by {.a}{.b} | 2 | --sort-by: '{.a}{.b}' is not a path
          -o yaml=x | 2 | -o: 'yaml=x' is not allowed
          """)
  void whatMakesNoSenseIsSaid(String words, int status, String sentence) {
    Result result = show(words);
    assertThat(result.status()).isEqualTo(status);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("portolan: " + sentence);
  }

  @Test
  void fieldsArePickedOut() {
    assertThat(show("-n shop -o jsonpath={.services[*].name}").out())
        .isEqualTo("admin cart catalog payments storefront web");
    assertThat(show("svc/web -o jsonpath={.kind}").out()).isEqualTo("ServiceList");
    assertThat(show("ep/cart -o custom-columns=IP:.address,NODE:.node,X:.x").lines())
        .containsExactly(
            "IP           NODE      X",
            "10.244.1.21  worker-1  <none>",
            "10.244.2.21  worker-2  <none>",
            "10.244.3.21  worker-3  <none>");
    assertThat(show("-n shop --no-headers -o custom-columns=NAME:.name").lines())
        .startsWith("admin");
  }

  @Test
  void listsAreSorted() {
    List<String> byType =
        show("-n shop --no-headers --sort-by=.type -o custom-columns=TYPE:.type").lines();
    assertThat(byType).isSorted().hasSize(6).contains("NodePort");
    assertThat(show("ep --no-headers --sort-by .address -o custom-columns=A:.address").lines())
        .isSorted();
    assertThat(show("-n shop --no-headers --sort-by={.type}").lines())
        .last()
        .asString()
        .startsWith("shop/admin");
  }

  @Test
  void coloursAreAsAsked() {
    assertThat(show("svc/payments --color always").out()).contains("\u001b[31mreject");
    assertThat(show("svc/payments --color=never").out()).doesNotContain("\u001b");
    assertThat(show("svc/payments --color=blue").err())
        .startsWith("portolan: --color: 'blue' is not allowed; write auto, always or never");
  }

  private static Result show(String words) {
    return Shell.shop(
        "worker-1", "show", words.isEmpty() ? new String[0] : words.strip().split(" "));
  }
}
