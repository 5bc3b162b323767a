package dev.portolan.source.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What manifests become. */
class ManifestsTest {
  @Test
  void everything_that_kubectl_prints_is_read_without_a_warning() throws IOException {
    Manifests manifests = kubectl();
    assertThat(manifests.warnings()).isEmpty();
    assertThat(manifests.image().services().size()).isEqualTo(5);
    assertThat(manifests.image().slices().size()).isEqualTo(3);
    assertThat(manifests.image().nodes().size()).isEqualTo(3);
    assertThat(manifests.places())
        .hasSize(11)
        .containsEntry(ObjectRef.service(new NamespacedName("default", "kubernetes")), "all.yaml:3")
        .containsEntry(
            ObjectRef.service(new NamespacedName("kube-system", "kube-dns")), "all.yaml:51");
  }

  @Test
  void a_plain_service_is_read() throws IOException {
    assertThat(service(kubectl(), "kube-system", "kube-dns"))
        .isEqualTo(
            Service.named("kube-system", "kube-dns")
                .clusterIps(List.of("10.96.0.10"))
                .ipFamilies(List.of(IpFamily.IPV4))
                .ports(
                    List.of(
                        new Service.Port("dns", Protocol.UDP, 53, 0),
                        new Service.Port("dns-tcp", Protocol.TCP, 53, 0),
                        new Service.Port("metrics", Protocol.TCP, 9153, 0)))
                .created(Instant.parse("2026-03-01T09:58:05Z"))
                .metadata(
                    ServiceMetadata.of(
                        Map.of(
                            "k8s-app", "kube-dns",
                            "kubernetes.io/cluster-service", "true",
                            "kubernetes.io/name", "CoreDNS"),
                        Map.of("prometheus.io/port", "9153", "prometheus.io/scrape", "true")))
                .build());
  }

  @Test
  void a_dual_stack_load_balancer_is_read_with_all_it_has() throws IOException {
    assertThat(service(kubectl(), "shop", "web"))
        .isEqualTo(
            Service.named("shop", "web")
                .type(ServiceType.LOAD_BALANCER)
                .clusterIps(List.of("10.96.44.7", "fd00:10:96::44"))
                .ipFamilies(List.of(IpFamily.IPV4, IpFamily.IPV6))
                .ports(
                    List.of(
                        new Service.Port("http", Protocol.TCP, 80, 30080, 0),
                        new Service.Port("sctp", Protocol.SCTP, 9000, 30081)))
                .externalIps(List.of("198.51.100.7"))
                .ingress(
                    List.of(
                        new Service.Ingress("192.0.2.20", true),
                        new Service.Ingress("192.0.2.21", false),
                        new Service.Ingress("2001:db8::20", true)))
                .sourceRanges(List.of("203.0.113.0/24"))
                .internalTrafficPolicy(TrafficPolicy.LOCAL)
                .externalTrafficPolicy(TrafficPolicy.LOCAL)
                .affinitySeconds(3600)
                .healthCheckNodePort(32100)
                .created(Instant.parse("2026-03-02T08:00:00Z"))
                .build());
  }

  @Test
  void labels_that_turn_a_service_away_are_seen_whatever_their_value() throws IOException {
    assertThat(service(kubectl(), "shop", "db"))
        .returns(true, Service::labelledHeadless)
        .returns(Optional.empty(), Service::proxyName)
        .returns(List.of("None"), Service::clusterIps);
    assertThat(service(kubectl(), "shop", "docs"))
        .returns(false, Service::labelledHeadless)
        .returns(true, service -> service.proxyName().isPresent())
        .returns(ServiceType.EXTERNAL_NAME, Service::type)
        .returns(Instant.EPOCH, Service::created);
  }

  @Test
  void a_slice_is_read_with_conditions_hints_and_targets() throws IOException {
    assertThat(kubectl().image().slices().get(new NamespacedName("shop", "web-h7k2x")))
        .isEqualTo(
            new EndpointSlice(
                new NamespacedName("shop", "web-h7k2x"),
                "web",
                AddressType.IPV4,
                List.of(
                    new EndpointSlice.Port("http", Protocol.TCP, 8080),
                    new EndpointSlice.Port("sctp", Protocol.SCTP, 9000)),
                List.of(
                    new EndpointSlice.Member(
                        List.of("10.244.1.5"),
                        Conditions.READY,
                        "worker-1",
                        "eu-1a",
                        List.of("eu-1a"),
                        List.of("worker-1"),
                        "Pod shop/web-7d4b9-x2x4z"),
                    new EndpointSlice.Member(
                        List.of("10.244.2.9"),
                        new Conditions(false, true, true),
                        "worker-2",
                        "eu-1b",
                        List.of(),
                        List.of(),
                        "Pod shop/web-7d4b9-p8k2m")),
                false,
                Instant.parse("2026-03-02T08:03:12.123456789Z")));
  }

  @Test
  void a_slice_without_endpoints_and_ports_is_read() throws IOException {
    assertThat(kubectl().image().slices().get(new NamespacedName("shop", "db-v6")))
        .returns(AddressType.IPV6, EndpointSlice::addressType)
        .returns(List.of(), EndpointSlice::members)
        .returns(List.of(), EndpointSlice::ports)
        .returns(true, EndpointSlice::labelledHeadless);
  }

  @Test
  void nodes_are_read_and_those_that_leave_are_known() throws IOException {
    Manifests manifests = kubectl();
    assertThat(manifests.image().nodes().get("worker-1"))
        .isEqualTo(
            new Node(
                "worker-1",
                List.of("172.18.0.3", "fc00:f853:ccd:e793::3"),
                List.of("203.0.113.3"),
                "eu-1a",
                List.of("10.244.1.0/24", "fd00:10:244:1::/64"),
                false));
    assertThat(manifests.image().nodes().get("worker-2"))
        .returns(List.of("10.244.2.0/24"), Node::podCidrs)
        .returns(true, Node::leaving);
    assertThat(manifests.image().nodes().get("worker-3")).returns(true, Node::leaving);
  }

  @Test
  void what_is_absent_or_null_has_the_default_of_the_api_server() {
    Manifests manifests =
        Manifests.parse(
            "a.yaml",
            """
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: , labels: null}
            spec:
              type: ""
              clusterIP: 10.0.0.1
              sessionAffinity: ClientIP
              externalTrafficPolicy:
              ports: [{port: 80, protocol: ~, name: null}]
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-1}
            addressType: IPv4
            endpoints: [{addresses: [10.1.0.1], conditions: {ready: null}, nodeName: null}]
            ports: [{name: null, port: null}, {port: 8080}]
            """);
    assertThat(service(manifests, "default", "web"))
        .isEqualTo(
            Service.named("default", "web")
                .clusterIps(List.of("10.0.0.1"))
                .ports(List.of(new Service.Port("", Protocol.TCP, 80, 0)))
                .affinitySeconds(Service.DEFAULT_AFFINITY_SECONDS)
                .build());
    EndpointSlice slice = manifests.image().slices().get(new NamespacedName("default", "web-1"));
    assertThat(slice.ports())
        .containsExactly(
            new EndpointSlice.Port("", Protocol.TCP, 0),
            new EndpointSlice.Port("", Protocol.TCP, 8080));
    assertThat(slice.members())
        .containsExactly(
            new EndpointSlice.Member(
                List.of("10.1.0.1"), Conditions.READY, "", "", List.of(), List.of(), ""));
    assertThat(slice.serviceName()).isEmpty();
    assertThat(slice.triggerTime()).isNull();
  }

  @Test
  void a_spec_that_is_absent_is_an_object_without_anything() {
    Manifests manifests =
        Manifests.parse("a.yaml", "{apiVersion: v1, kind: Service, metadata: {name: web}}");
    assertThat(service(manifests, "default", "web"))
        .isEqualTo(Service.named("default", "web").build());
  }

  @Test
  void many_documents_lists_and_typed_lists_may_stand_in_one_file() {
    Manifests manifests =
        Manifests.parse(
            "a.yaml",
            """
            # A comment, and an empty document.
            ---
            ---
            apiVersion: networking.k8s.io/v1
            kind: ServiceCIDR
            metadata: {name: kubernetes}
            spec: {cidrs: [10.96.0.0/16, 'fd00:10:96::/112']}
            ---
            apiVersion: networking.k8s.io/v1beta1
            kind: ServiceCIDR
            metadata: {name: more}
            spec: {cidrs: [10.97.0.0/16]}
            ...
            ---
            apiVersion: v1
            kind: ServiceList
            items:
            - {metadata: {name: a}, spec: {clusterIP: None}}
            - {metadata: {name: b}, spec: {clusterIP: None}}
            - null
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSliceList
            items:
            - {metadata: {name: s}, addressType: FQDN}
            ---
            {apiVersion: v1, kind: NodeList, items: [{metadata: {name: n}}]}
            ---
            apiVersion: networking.k8s.io/v1
            kind: ServiceCIDRList
            items: [{metadata: {name: third}}]
            ---
            {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: inner}}]}]}
            """);
    assertThat(manifests.warnings()).isEmpty();
    assertThat(manifests.places().keySet())
        .extracting(ObjectRef::toString)
        .containsExactlyInAnyOrder(
            "ServiceCIDR kubernetes",
            "ServiceCIDR more",
            "ServiceCIDR third",
            "Service default/a",
            "Service default/b",
            "EndpointSlice default/s",
            "Node n",
            "Node inner");
    assertThat(manifests.image().serviceCidrs().get("kubernetes"))
        .isEqualTo(new ServiceCidr("kubernetes", List.of("10.96.0.0/16", "fd00:10:96::/112")));
  }

  @Test
  void json_is_read_with_tabs_escapes_and_several_documents() {
    Manifests manifests =
        Manifests.parse(
            "a.json",
            """
            {
            \t"apiVersion": "v1", "kind": "List",
            \t"items": [
            \t\t{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n\\u006fde-1"}},
            \t\t{"apiVersion": "v1", "kind": "Deployment", "spec": [1.5e3, true, null, "\\"\\\\\\/\\b\\n"]}
            \t]
            }
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-2"}}
            """);
    assertThat(manifests.warnings()).isEmpty();
    assertThat(manifests.places())
        .containsEntry(ObjectRef.node("node-1"), "a.json:4")
        .containsEntry(ObjectRef.node("node-2"), "a.json:8");
  }

  @Test
  void what_looks_like_json_and_is_not_may_still_be_yaml() {
    Manifests manifests =
        Manifests.parse("a.json", "{apiVersion: v1, kind: Node, metadata: {name: n,}}");
    assertThat(manifests.image().nodes().get("n")).isEqualTo(Node.named("n"));
  }

  @Test
  void anchors_aliases_and_merge_keys_are_followed() {
    Manifests manifests =
        Manifests.parse(
            "a.yaml",
            """
            apiVersion: v1
            kind: List
            items:
            - &web
              apiVersion: v1
              kind: Service
              metadata: &meta {name: web, namespace: shop}
              spec: &spec {type: NodePort, ports: &ports [{port: 80}]}
            - <<: *web
              metadata: {<<: *meta, name: web2}
              spec:
                type: ClusterIP
                <<: [*spec, {clusterIP: 10.0.0.2}]
            """);
    assertThat(service(manifests, "shop", "web").type()).isEqualTo(ServiceType.NODE_PORT);
    assertThat(service(manifests, "shop", "web2"))
        .isEqualTo(
            Service.named("shop", "web2")
                .clusterIps(List.of("10.0.0.2"))
                .ports(List.of(new Service.Port("", Protocol.TCP, 80, 0)))
                .build());
  }

  @Test
  void other_kinds_are_passed_over_and_may_hold_anything() {
    Manifests manifests =
        Manifests.parse(
            "a.yaml",
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: 5
            spec: {replicas: !Custom [1]}
            ---
            apiVersion: serving.knative.dev/v1
            kind: Service
            metadata: {name: 5}
            ---
            apiVersion: example.org/v1
            kind: ServiceList
            items: 7
            """);
    assertThat(manifests.places()).isEmpty();
    assertThat(manifests.warnings()).isEmpty();
  }

  @Test
  void fields_that_nobody_reads_may_hold_anything() {
    Manifests manifests =
        Manifests.parse(
            "a.yaml",
            """
            apiVersion: v1
            kind: Service
            metadata: {name: web, generation: x, uid: 5, labels: {a: 1, b: true}}
            spec: {clusterIP: None, selector: [1], ports: [{port: 80, targetPort: {a: b}}], ipFamilyPolicy: 3}
            status: {conditions: 7}
            """);
    assertThat(manifests.warnings()).isEmpty();
    assertThat(service(manifests, "default", "web").ports()).hasSize(1);
  }

  private static Service service(Manifests manifests, String namespace, String name) {
    return manifests.image().services().get(new NamespacedName(namespace, name));
  }

  private static Manifests kubectl() throws IOException {
    try (InputStream text = ManifestsTest.class.getResourceAsStream("/kubectl-get.yaml")) {
      return Manifests.parse("all.yaml", new String(text.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
