package dev.portolan.source.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.text.TextException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages about invalid manifests, word by word. */
class ManifestMessagesTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ports: [{port: http}]                 | 5:16: Service shop/web: spec.ports[0].port: expected an integer, found 'http'; write it as digits, without quotes
          ports: [{port: "80"}]                 | 5:16: Service shop/web: spec.ports[0].port: expected an integer, found the text '80'; write it as digits, without quotes
          ports: [{port: 80.0}]                 | 5:16: Service shop/web: spec.ports[0].port: expected an integer, found the number 80.0; write it as digits, without quotes
          ports: [{port: 99999999999}]          | 5:16: Service shop/web: spec.ports[0].port: '99999999999' is out of range; write a number between -2147483648 and 2147483647
          ports: [{name: http}]                 | 5:9: Service shop/web: spec.ports[0].port: missing, but required
          ports: [{port: 80, name: 80}]         | 5:26: Service shop/web: spec.ports[0].name: expected text, found the number 80; put it in quotes
          ports: [{port: 80, protocol: HTTP}]   | 5:30: Service shop/web: spec.ports[0].protocol: 'HTTP' is not known; write one of SCTP, TCP, UDP
          ports: {port: 80}                     | 5:8: Service shop/web: spec.ports: expected a list, found a mapping; start each item with '- '
          ports: [80]                           | 5:9: Service shop/web: spec.ports[0]: expected a mapping, found the number 80; write 'key: value' below it
          type: Foo                             | 5:7: Service shop/web: spec.type: 'Foo' is not known; write one of ClusterIP, ExternalName, LoadBalancer, NodePort
          type: [NodePort]                      | 5:7: Service shop/web: spec.type: expected text, found a list; write one value
          externalTrafficPolicy: Nearby         | 5:24: Service shop/web: spec.externalTrafficPolicy: 'Nearby' is not known; write one of Cluster, Local
          sessionAffinity: Cookie               | 5:18: Service shop/web: spec.sessionAffinity: 'Cookie' is not known; write one of ClientIP, None
          clusterIPs: [10.0.0.1, true]          | 5:24: Service shop/web: spec.clusterIPs[1]: expected text, found true; put it in quotes
          clusterIPs: [10.0.0.1, null]          | 5:24: Service shop/web: spec.clusterIPs[1]: missing, but required
          clusterIP: !ip 10.0.0.1               | 5:12: Service shop/web: spec.clusterIP: the tag '!ip' is not known here; remove it
          type: a, type: b                      | 5:10: Service shop/web: spec: the key 'type' is a duplicate; remove one of them
          ports: *none                          | 5:8: Service shop/web: spec.ports: the alias '*none' refers to an anchor that this document does not define; write '&none' before the value
          ports: &all [*all]                    | 5:14: Service shop/web: spec.ports[0]: the alias '*all' refers to a value that contains it, which would never end; write out the value
          ? [a] : b                             | 5:3: Service shop/web: spec: a key must be a string, but this is a list; if this file is a template ({{ … }}), render it first
          <<: 5                                 | 5:5: Service shop/web: spec: the key '<<' needs a mapping; write '<<: *NAME' with the anchor of a mapping
          """)
  void a_wrong_field_is_told_with_file_place_object_and_field(String spec, String message) {
    String text =
        "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {\n"
            + spec
            + "\n}\n";
    assertThatThrownBy(() -> Manifests.parse("web.yaml", text))
        .isInstanceOf(TextException.class)
        .hasMessage("web.yaml:" + message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          kind: Service#spec: {ports: []}                                 | 4:7: Service shop/web: spec.clusterIP: missing, so the service is not served; an API server would assign an address: write one here
          kind: Service#spec: {clusterIP: 10.0.0.1, portz: []}            | 4:36: Service shop/web: spec.portz: unknown field; ignored, did you mean 'ports'?
          kind: Service#spec: {clusterIP: 10.0.0.1, ports: [{port: 80, nodePorts: 5}]} | 4:59: Service shop/web: spec.ports[0].nodePorts: unknown field; ignored, did you mean 'nodePort'?
          kind: Service#spec: {clusterIP: 10.0.0.1}#xyzzyplugh: 1         | 5:13: Service shop/web: xyzzyplugh: unknown field; ignored
          kind: Endpoints#subsets: []                                     | 2:7: Endpoints shop/web: kind: Endpoints are not read, only EndpointSlices (discovery.k8s.io/v1); ignored, so write one of these
          kind: service#spec: {}                                          | 2:7: service shop/web: kind: 'service' is not known; ignored, write Service
          """)
  void what_has_no_effect_is_said(String lines, String message) {
    String[] parts = lines.split("#", 2);
    Manifests manifests =
        Manifests.parse(
            "web.yaml",
            "apiVersion: v1\n"
                + parts[0]
                + "\nmetadata: {name: web, namespace: shop}\n"
                + parts[1].replace('#', '\n')
                + "\n");
    assertThat(manifests.warnings()).containsExactly("web.yaml:" + message);
  }

  @Test
  void what_is_of_no_interest_is_not_mentioned() {
    assertThat(
            Manifests.parse(
                    "all.yaml",
                    """
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: web}
                    spec: {replicas: 2}
                    ---
                    apiVersion: v1
                    kind: Service
                    metadata: {name: web, labels: {anything: "1"}}
                    spec: {type: ExternalName, externalName: example.org, selector: {app: web}}
                    """)
                .warnings())
        .isEmpty();
  }

  @Test
  void digits_after_a_zero_are_octal_as_in_kubernetes() {
    Manifests manifests =
        Manifests.parse(
            "web.yaml",
            """
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {clusterIP: 10.0.0.1, ports: [{name: a, port: 0120}, {name: b, port: 089}]}
            """);
    assertThat(manifests.image().services().get(new NamespacedName("default", "web")).ports())
        .extracting(Service.Port::port)
        .containsExactly(80, 89);
    assertThat(manifests.warnings())
        .containsExactly(
            "web.yaml:4:53: Service default/web: spec.ports[0].port: digits after a zero are octal"
                + " where they can be, as Kubernetes reads them, so 0120 is 80; write 80",
            "web.yaml:4:76: Service default/web: spec.ports[1].port: digits after a zero are octal"
                + " where they can be, as Kubernetes reads them, so 089 is 89; write 89");
  }

  @Test
  void a_slice_must_say_what_its_addresses_are() {
    assertThatThrownBy(() ->
            Manifests.parse(
                "s.yaml",
                """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s}
                """))
        .hasMessage("s.yaml:1:1: EndpointSlice default/s: addressType: missing, but required");
  }

  @Test
  void conditions_are_true_or_false() {
    assertThatThrownBy(() ->
            Manifests.parse(
                "s.yaml",
                """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s, namespace: shop}
                addressType: IPv4
                endpoints:
                - addresses: [10.0.0.1]
                  conditions:
                    ready: "yes"
                """))
        .hasMessage(
            "s.yaml:8:12: EndpointSlice shop/s: endpoints[0].conditions.ready: expected true or"
                + " false, found the text 'yes'; write it without quotes");
  }

  @Test
  void labels_that_are_read_must_be_text() {
    assertThatThrownBy(() ->
            Manifests.parse(
                "n.yaml",
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: n
                  labels:
                    topology.kubernetes.io/zone: 1
                """))
        .hasMessage(
            "n.yaml:6:34: Node n: metadata.labels[topology.kubernetes.io/zone]: expected text,"
                + " found the number 1; put it in quotes");
  }

  @Test
  void an_object_without_a_name_is_told_by_its_kind() {
    assertThatThrownBy(() -> Manifests.parse("n.yaml", "apiVersion: v1\nkind: Node\nspec: {}\n"))
        .hasMessage("n.yaml:1:1: Node: metadata.name: missing, but required");
  }

  @Test
  void an_item_of_a_list_is_told_as_the_object_that_it_is() {
    assertThatThrownBy(() ->
            Manifests.parse(
                "all.yaml",
                """
                apiVersion: v1
                kind: NodeList
                items:
                - metadata: {name: a}
                - metadata: {name: b}
                  spec: {podCIDRs: 5}
                """))
        .hasMessage(
            "all.yaml:6:20: Node b: spec.podCIDRs: expected a list, found the number 5; start each"
                + " item with '- '");
  }

  @Test
  void broken_syntax_is_told_with_the_object_and_the_field_around_it() {
    assertThatThrownBy(() ->
            Manifests.parse(
                "web.yaml",
                """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: Service
                  metadata:
                    name: web
                    namespace: shop
                  spec:
                    ports:
                    - port: 80
                     name: http
                """))
        .hasMessage(
            "web.yaml:12:6: Service shop/web: spec: not valid YAML: the indentation does not match"
                + " the lines above; align it with them");
  }

  @Test
  void the_usual_slips_are_told_in_plain_words() {
    assertThatThrownBy(() -> Manifests.parse("a.yaml", "kind: Node\nmetadata:\n\tname: n\n"))
        .hasMessage(
            "a.yaml:3:1: Node: metadata: not valid YAML: tabs are not allowed here; indent with"
                + " spaces");
    assertThatThrownBy(() -> Manifests.parse("a.yaml", "kind: Node\nnote: this: that\n"))
        .hasMessage(
            "a.yaml:2:11: Node: not valid YAML: 'key: value' is not allowed here; check the"
                + " indentation, or quote text that contains ': '");
  }

  @Test
  void broken_json_is_told_with_the_object_and_the_field_around_it() {
    assertThatThrownBy(() ->
            Manifests.parse(
                "web.json",
                """
                {"apiVersion": "v1", "kind": "Service",
                 "metadata": {"name": "web"},
                 "spec": {"ports": [{"port": 80]}}
                """))
        .hasMessage(
            "web.json:3:32: Service default/web: spec.ports[0]: not valid JSON: expected ',' or"
                + " '}', found ']'");
  }

  @Test
  void a_forbidden_character_is_told_with_the_object_and_the_field_around_it() {
    assertThatThrownBy(() ->
            Manifests.parse(
                "web.yaml",
                "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\nspec:\n  podCIDR: a\0b\n"))
        .hasMessage(
            "web.yaml:6:13: Node n: spec.podCIDR: the character U+0000 is not allowed in a"
                + " manifest; remove it, or write it as an escape in double quotes");
  }

  @Test
  void what_is_no_object_is_passed_over_with_a_warning() {
    assertThat(
            warnings(
                """
                - a list
                ---
                only text
                ---
                replicas: 3
                ---
                kind: 5
                ---
                apiVersion: v1
                kind: List
                items: [7]
                """))
        .containsExactly(
            "a.yaml:1:1: is not an object, so it is not a Kubernetes manifest; ignored",
            "a.yaml:3:1: is not an object, so it is not a Kubernetes manifest; ignored",
            "a.yaml:5:1: has no kind, so it is not a Kubernetes manifest; ignored",
            "a.yaml:7:1: 5: has no kind, so it is not a Kubernetes manifest; ignored",
            "a.yaml:11:9: is not an object, so it is not a Kubernetes manifest; ignored");
  }

  @Test
  void a_version_that_is_not_understood_is_passed_over_with_a_warning() {
    assertThat(
            warnings(
                """
                apiVersion: discovery.k8s.io/v1beta1
                kind: EndpointSlice
                metadata: {name: web-1, namespace: shop}
                ---
                apiVersion: networking.k8s.io/v1alpha1
                kind: ServiceCIDRList
                ---
                kind: Node
                metadata: {name: n}
                """))
        .containsExactly(
            "a.yaml:1:13: EndpointSlice shop/web-1: apiVersion: 'discovery.k8s.io/v1beta1' is not"
                + " supported; ignored until it is discovery.k8s.io/v1",
            "a.yaml:5:13: ServiceCIDRList: apiVersion: 'networking.k8s.io/v1alpha1' is not"
                + " supported; ignored until it is networking.k8s.io/v1",
            "a.yaml:8:1: Node n: apiVersion: missing; ignored until it is v1");
  }

  @Test
  void of_an_object_that_is_there_twice_the_first_stays() {
    Manifests manifests =
        Manifests.parse(
            "a.yaml",
            """
            {apiVersion: v1, kind: Node, metadata: {name: n}, spec: {podCIDR: 10.0.0.0/24}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n}, spec: {podCIDR: 10.0.1.0/24}}
            """);
    assertThat(manifests.warnings())
        .containsExactly(
            "a.yaml:3: Node n: duplicate, first defined at a.yaml:1; this one is ignored, so remove"
                + " one of them");
    assertThat(manifests.image().nodes().get("n").podCidrs()).containsExactly("10.0.0.0/24");
  }

  @Test
  void a_trigger_time_that_is_no_time_is_passed_over_with_a_warning() {
    assertThat(
            warnings(
                """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                addressType: IPv4
                metadata:
                  name: s
                  annotations:
                    endpoints.kubernetes.io/last-change-trigger-time: yesterday
                """))
        .containsExactly(
            "a.yaml:7:55: EndpointSlice default/s:"
                + " metadata.annotations[endpoints.kubernetes.io/last-change-trigger-time]:"
                + " 'yesterday' is not a valid time such as 2026-01-31T23:59:59.5Z; ignored");
  }

  @Test
  void warnings_beyond_a_hundred_are_counted() {
    List<String> warnings = warnings("--- a\n".repeat(150));
    assertThat(warnings).hasSize(101);
    assertThat(warnings.getLast()).isEqualTo("a.yaml: and 50 more warnings; fix these first");
  }

  private static List<String> warnings(String text) {
    return Manifests.parse("a.yaml", text).warnings();
  }
}
