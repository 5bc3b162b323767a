package dev.portolan.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioRunnerTest {
  private static final String OBJECTS =
      """
      Two endpoints.

      -- objects --
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {clusterIP: 10.96.0.20, ports: [{name: http, port: 80}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: web-1, labels: {kubernetes.io/service-name: web}}
      addressType: IPv4
      ports: [{name: http, port: 8080}]
      endpoints: [{addresses: [10.244.1.5]}, {addresses: [10.244.2.5]}]
      """;
  private static final String STATE =
      "default/web:http TCP 10.96.0.20:80 internal=forward"
          + " cluster=10.244.1.5:8080,10.244.2.5:8080\n";

  @Test
  void a_scenario_that_holds_passes() {
    ScenarioReport report = run(OBJECTS + "-- expect --\n" + STATE);
    assertThat(report.failures()).isEmpty();
    assertThat(report.passed()).isTrue();
    report.orThrow();
  }

  @Test
  void comments_and_spaces_do_not_matter() {
    run(OBJECTS + "-- expect --\n\n# all of them\n  " + STATE.replace(" ", "   ") + "\n").orThrow();
  }

  @Test
  void a_state_that_differs_is_shown_beside_the_expected_one() {
    ScenarioReport report =
        run(
            OBJECTS
                + """
                -- expect --
                default/web:http TCP 10.96.0.20:80 internal=reject
                """);
    assertThat(report.failures())
        .containsExactly(
            """
            case.scenario:15: 'expect' does not hold
              expected:
                - default/web:http TCP 10.96.0.20:80 internal=reject
              actual:
                + default/web:http TCP 10.96.0.20:80 internal=forward \
            cluster=10.244.1.5:8080,10.244.2.5:8080\
            """);
    assertThatThrownBy(report::orThrow)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("case.scenario:15: 'expect' does not hold");
  }

  @Test
  void a_missing_line_fails() {
    assertThat(run(OBJECTS + "-- expect --\n").failures())
        .singleElement()
        .asString()
        .contains("  expected:\n      (nothing)\n  actual:\n    + default/web:http");
  }

  @Test
  void every_failure_is_told() {
    ScenarioReport report =
        run(OBJECTS + "-- expect --\n-- expect revision --\nunchanged\n-- expect delta --\n");
    assertThat(report.failures()).hasSize(3);
    assertThat(report.failures().get(1)).contains("- unchanged").contains("+ +1");
    assertThat(report.failures().get(2)).contains("+ set default/web");
  }

  @Test
  void revision_and_delta_are_those_of_the_last_transaction() {
    run(OBJECTS
            + """
            -- delete --
            EndpointSlice default/web-1
            -- expect revision --
            +1
            -- expect delta --
            set default/web
            -- delete --
            Service default/web
            -- expect delta --
            removed default/web
            -- expect --
            """)
        .orThrow();
  }

  @Test
  void a_warning_that_nobody_expects_fails() {
    ScenarioReport report = run(OBJECTS.replace("10.244.1.5", "127.0.0.1"));
    assertThat(report.failures())
        .singleElement()
        .asString()
        .startsWith("case.scenario:3: warnings that no section '-- expect warnings --' expects")
        .contains("+ EndpointSlice default/web-1: ");
  }

  @Test
  void an_object_that_is_not_there_cannot_be_deleted() {
    assertThat(run(OBJECTS + "-- delete --\nService default/shop\n").failures())
        .containsExactly("case.scenario:15: there is no Service default/shop to delete");
  }

  @Test
  void an_explanation_compares_all_but_the_steps_that_are_not_quoted() {
    run(OBJECTS
            + """
            -- explain 10.96.0.20:80 from pod --
            forward 10.244.1.5:8080 10.244.2.5:8080
            not masqueraded
            because the cluster IP of default/web:http
            because internalTrafficPolicy is Cluster
            """)
        .orThrow();
  }

  @Test
  void a_quote_in_the_wrong_order_fails_and_shows_all_steps() {
    ScenarioReport report =
        run(
            OBJECTS
                + """
                -- explain 10.96.0.20:80 from pod --
                forward 10.244.1.5:8080 10.244.2.5:8080
                not masqueraded
                because internalTrafficPolicy is Cluster
                because the cluster IP of default/web:http
                """);
    assertThat(report.failures())
        .singleElement()
        .asString()
        .contains("case.scenario:15: 'explain 10.96.0.20:80 from pod' does not hold")
        .contains("+ because 10.96.0.20:80/TCP is the cluster IP of default/web:http");
  }

  @Test
  void facts_compare_the_keys_that_are_listed() {
    ScenarioReport report = run(OBJECTS + "-- expect facts --\nknown=true\nzone=\n");
    assertThat(report.failures())
        .singleElement()
        .asString()
        .contains("- known=true")
        .contains("+ known=false")
        .doesNotContain("podCIDRs");
  }

  @Test
  void the_expectations_that_would_hold_can_be_written() {
    String wrong =
        OBJECTS.replace("10.244.1.5", "127.0.0.1")
            + "-- expect --\nnone/at-all TCP 10.96.0.20:80 internal=drop\n\n"
            + "-- expect facts --\n"
            + "-- explain default/web:http --\n"
            + "-- delete --\nService default/web\n-- expect revision --\nunchanged\n";
    ScenarioReport report = run(wrong);
    assertThat(report.passed()).isFalse();
    assertThat(report.text())
        .contains("internal=forward cluster=10.244.2.5:8080\n\n-- expect facts --\nknown=false\n")
        .contains("-- explain default/web:http --\nforward 10.244.2.5:8080\n")
        .endsWith("-- expect revision --\n+1\n");
    run(report.text()).orThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -- expected --                   | 1: unknown section 'expected'
          -- expect                        | 1: a section starts as '-- title --'
          -- options --                    | 1: the options come first, and once
          -- expect --;nonsense            | 2: in 'expect' a line is
          -- expect --;a/b TCP 1.2.3.4:80 colour=red | 2: in 'expect' a line is
          -- expect revision --;+0         | 2: in 'expect revision' a line is
          -- expect revision --            | 1: 'expect revision' has one line
          -- expect delta --;changed a/b   | 2: in 'expect delta' a line is
          -- expect facts --;;colour=red   | 3: in 'expect facts' a line is 'key=value' with a key of
          -- delete --;Pod default/web     | 2: in 'delete' a line is 'Kind namespace/name'
          -- delete --;Service web         | 2: in 'delete' a line is 'Kind namespace/name'
          -- explain 10.96.0.20:80 --;maybe | 2: in 'explain 10.96.0.20:80' a line is
          -- explain 10.96.0.20:x --       | 1: '10.96.0.20:x': x is not a port
          -- explain 1.2.3.4:80 from space -- | 1: 'space' is not a valid client
          -- explain --                    | 1: unknown section 'explain'
          """)
  void what_is_not_known_is_a_mistake_with_its_line(String added, String message) {
    int before = OBJECTS.lines().toList().size();
    int colon = message.indexOf(':');
    int line = before + Integer.parseInt(message.substring(0, colon));
    assertThatThrownBy(() -> run(OBJECTS + added.replace(';', '\n') + "\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageStartingWith("case.scenario:" + line + message.substring(colon));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          colour: red              | 3: unknown option 'colour'
          node: a;node: b          | 4: option 'node' is a duplicate
          node                     | 3: an option is written 'name: value'
          cluster-cidr: 10.244.0.0 | 3: '10.244.0.0' is not a CIDR
          masquerade-all: maybe    | 3: masquerade-all is true or false
          detect-local-mode: Magic | 3: detect-local-mode is one of
          nodeport-addresses: many | 3: 'many' is not a CIDR
          """)
  void a_wrong_option_is_a_mistake_with_its_line(String options, String message) {
    assertThatThrownBy(
            () -> run("Options.\n-- options --\n" + options.replace(';', '\n') + "\n" + OBJECTS))
        .isInstanceOf(ScenarioException.class)
        .hasMessageStartingWith("case.scenario:" + message);
  }

  @Test
  void an_object_that_cannot_be_read_is_a_mistake_with_its_line() {
    assertThatThrownBy(() -> run(OBJECTS.replace("port: 80}", "port: eighty}")))
        .isInstanceOf(ScenarioException.class)
        .hasMessageStartingWith("case.scenario:3: the objects cannot be read: case.scenario:7:");
  }

  @Test
  void a_scenario_begins_with_a_description_and_objects() {
    assertThatThrownBy(() -> run("-- objects --\n"))
        .hasMessage("case.scenario:1: start with a sentence that says what the scenario shows");
    assertThatThrownBy(() -> run("Nothing.\n\n-- expect --\n"))
        .hasMessage("case.scenario:3: 'expect' before the first section '-- objects --'");
    assertThatThrownBy(() -> run("Nothing.\n"))
        .hasMessage("case.scenario:1: nothing happens: no section '-- objects --'");
  }

  private static ScenarioReport run(String text) {
    return ScenarioRunner.run(Scenario.parse("case.scenario", text));
  }
}
