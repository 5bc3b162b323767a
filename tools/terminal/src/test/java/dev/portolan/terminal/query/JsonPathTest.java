package dev.portolan.terminal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What templates print, as kubectl prints them. */
final class JsonPathTest {
  private static final Object TREE =
      new Load(LoadSettings.builder().build())
          .loadFromString(
              """
              kind: ServiceList
              revision: 7
              flag: true
              nothing: null
              labels: {app.example/name: web, plain: x}
              services:
              - {name: cart, type: ClusterIP, ports: [{port: 80}, {port: 443}], weight: 3}
              - {name: web, type: NodePort, ports: [{port: 8080}], weight: 12}
              - {name: dns, type: ClusterIP, ports: [], note: "a b"}
              """);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {.kind} | ServiceList
          {$.kind} | ServiceList
          .kind | ServiceList
          kind | ServiceList
          {['kind']} | ServiceList
          {.labels['app.example/name']} | web
          {.labels.app\\.example/name} | web
          {.labels.*} | web x
          {.services[0].name} | cart
          {.services[-1].name} | dns
          {.services[*].name} | cart web dns
          {.services[0:2].name} | cart web
          {.services[1:].name} | web dns
          {.services[:-1].name} | cart web
          {.services[::2].name} | cart dns
          {.services[0,2].name} | cart dns
          {.services[0]['name','type']} | cart ClusterIP
          {.services[9].name} | ''
          {.services[*].note} | a b
          {.nothing} | ''
          {..port} | 80 443 8080
          {.services[0].ports} | [{"port":80},{"port":443}]
          {.services[?(@.type=="ClusterIP")].name} | cart dns
          {.services[?(@.type != 'ClusterIP')].name} | web
          {.services[?(@.weight>3)].name} | web
          {.services[?(@.weight<=3)].name} | cart
          {.services[?(@.note)].name} | dns
          {.services[?(@.ports[*].port==443)].name} | cart
          revision {.revision}, {.kind} | revision 7, ServiceList
          {.revision}{"-"}{.flag} | 7-true
          {.revision "/" .kind} | 7/ServiceList
          {range .services[*]}{.name}={.type};{end} | cart=ClusterIP;web=NodePort;dns=ClusterIP;
          {range .services[*]}{.name}:{range .ports[*]}{.port},{end} {end}x | cart:80,443, web:8080, dns: x
          {range .services[?(@.type=="NodePort")]}{@.name}{end} | web
          {range .services[*]}{$.revision}{end} | 777
          """)
  void aTemplateIsFilledIn(String template, String text) {
    assertThat(JsonPath.parse(template).render(TREE)).isEqualTo(text);
  }

  @Test
  void quotedTextMayHaveLineBreaks() {
    assertThat(JsonPath.parse("{range .services[*]}{.name}{\"\\t\\n\"}{end}").render(TREE))
        .isEqualTo("cart\t\nweb\t\ndns\t\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {.a | expected '}' at the end
          {.a[} | expected a number, a name in quotes, * or ?(...) before '}'
          {.a[0} | expected ']' before '}'
          {range .a}x | a range has no {end} at the end
          {end} | 'end' without a range before it at the end
          {.a[?(@.b=c)]} | '=' is not an operator; write ==, !=, <, <=, > or >= before 'c)]}'
          {.a[?(@.b==c)]} | 'c' is not a value; write text in quotes before ')]}'
          {.a['b} | a quote is not closed at the end
          {.a[::0]} | the step of a slice must be 1 or more before ']}'
          {.a b} | a path starts with '.', as in .name before 'b}'
          """)
  void whatIsWrongIsSaid(String template, String problem) {
    assertThatThrownBy(() -> JsonPath.parse(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + template + "': " + problem);
  }

  @Test
  void listsAreSortedByAField() {
    List<Map<String, Object>> items =
        List.of(Map.of("n", 10), Map.of("n", 9), Map.of("n", 9.5), Map.of());
    assertThat(items.stream().sorted(JsonPath.path("{.n}").order(item -> item)))
        .containsExactly(Map.of(), Map.of("n", 9), Map.of("n", 9.5), Map.of("n", 10));
    assertThatThrownBy(() -> JsonPath.path("{.a}{.b}"))
        .hasMessage("'{.a}{.b}' is not a path; write one such as .name");
  }
}
