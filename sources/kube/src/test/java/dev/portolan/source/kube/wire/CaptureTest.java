package dev.portolan.source.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads what a kube-apiserver v1.37.1 answered, in protobuf and in JSON. */
class CaptureTest {
  static Stream<Resource<?, ?>> resources() {
    return Stream.of(
        Resource.services(),
        Resource.slices(),
        Resource.nodes(Optional.empty()),
        Resource.serviceCidrs());
  }

  static InputBuffer capture(String name) throws IOException {
    return Captures.answer(Captures.read(name));
  }

  @ParameterizedTest
  @MethodSource("resources")
  <K extends Comparable<? super K>, V> void bothFormatsSayTheSame(Resource<K, V> resource)
      throws IOException {
    List<ReceivedObject<K, V>> protobuf = new ArrayList<>();
    List<ReceivedObject<K, V>> json = new ArrayList<>();
    String version =
        new ProtobufFormat().list(resource, capture(resource.name() + ".pb"), protobuf::add);
    assertThat(new JsonFormat("x").list(resource, capture(resource.name() + ".json"), json::add))
        .isEqualTo(version);
    assertThat(protobuf).isNotEmpty().isEqualTo(json).allMatch(found -> found.problem() == null);
    assertThat(version).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("resources")
  <K extends Comparable<? super K>, V> void watchesSayTheSameAsLists(Resource<K, V> resource)
      throws IOException {
    List<ReceivedObject<K, V>> listed = new ArrayList<>();
    new ProtobufFormat().list(resource, capture(resource.name() + ".pb"), listed::add);
    List<WatchEvent<K, V>> expected = new ArrayList<>();
    listed.forEach(found -> expected.add(new WatchEvent.Put<>(found)));
    List<WatchEvent<K, V>> protobuf =
        events(new ProtobufFormat(), resource, resource.name() + ".watch.pb");
    assertThat(protobuf.removeLast()).isInstanceOf(WatchEvent.Bookmark.class);
    assertThat(protobuf).containsExactlyInAnyOrderElementsOf(expected);
    List<WatchEvent<K, V>> json =
        events(new JsonFormat("x"), resource, resource.name() + ".watch.json");
    assertThat(json.removeLast()).isInstanceOf(WatchEvent.Bookmark.class);
    assertThat(json).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static <K extends Comparable<? super K>, V> List<WatchEvent<K, V>> events(
      WireFormat format, Resource<K, V> resource, String name) throws IOException {
    InputBuffer in = capture(name);
    List<WatchEvent<K, V>> events = new ArrayList<>();
    for (WatchEvent<K, V> event = format.event(resource, in);
        event != null;
        event = format.event(resource, in)) {
      events.add(event);
    }
    return events;
  }

  @Test
  void everyFieldOfAServiceIsRead() throws IOException {
    assertThat(find(Resource.services(), new NamespacedName("shop", "web")))
        .isEqualTo(
            Service.named("shop", "web")
                .type(ServiceType.LOAD_BALANCER)
                .clusterIps(List.of("10.96.6.79"))
                .ipFamilies(List.of(IpFamily.IPV4))
                .ports(
                    List.of(
                        new Service.Port("http", Protocol.TCP, 80, 30351, 8080),
                        new Service.Port("dns", Protocol.UDP, 53, 31395)))
                .externalIps(List.of("192.0.2.7"))
                .ingress(
                    List.of(
                        new Service.Ingress("198.51.100.4", true),
                        new Service.Ingress("198.51.100.5", false)))
                .sourceRanges(List.of("10.0.0.0/8"))
                .externalTrafficPolicy(TrafficPolicy.LOCAL)
                .affinitySeconds(10800)
                .healthCheckNodePort(31278)
                .created(Instant.parse("2026-11-15T14:49:50Z"))
                .build());
    assertThat(find(Resource.services(), new NamespacedName("shop", "foreign")))
        .extracting(service -> service.proxyName().isPresent())
        .isEqualTo(true);
  }

  @Test
  void everyFieldOfASliceIsRead() throws IOException {
    Conditions terminating = new Conditions(false, true, true);
    assertThat(find(Resource.slices(), new NamespacedName("shop", "web-1")))
        .isEqualTo(
            new EndpointSlice(
                new NamespacedName("shop", "web-1"),
                "web",
                AddressType.IPV4,
                List.of(
                    new EndpointSlice.Port("http", Protocol.TCP, 8080),
                    new EndpointSlice.Port("dns", Protocol.UDP, 5353)),
                List.of(
                    new Member(
                        List.of("10.1.0.4"),
                        Conditions.READY,
                        "n1",
                        "za",
                        List.of("za"),
                        List.of("n1"),
                        "Pod shop/web-x"),
                    new Member(
                        List.of("10.1.1.4"),
                        terminating,
                        "n2",
                        "zb",
                        List.of("za"),
                        List.of(),
                        "")),
                false,
                Instant.parse("2026-01-02T03:04:05.5Z")));
  }

  @Test
  void everyFieldOfANodeIsRead() throws IOException {
    assertThat(find(Resource.nodes(Optional.empty()), "n1"))
        .isEqualTo(
            new Node(
                "n1",
                List.of("192.168.0.1"),
                List.of("203.0.113.1"),
                "za",
                List.of("10.1.0.0/24"),
                true));
  }

  @Test
  void everyFieldOfAServiceCidrIsRead() throws IOException {
    assertThat(find(Resource.serviceCidrs(), "kubernetes"))
        .isEqualTo(new ServiceCidr("kubernetes", List.of("10.96.0.0/16")));
  }

  @Test
  void aStatusIsRead() throws IOException {
    ApiStatus status = new ProtobufFormat().status(capture("status.pb"));
    assertThat(status.code()).isEqualTo(422);
    assertThat(status.reason()).isEqualTo("Invalid");
    assertThat(status.message()).contains("resourceVersionMatch");
  }

  private static <K extends Comparable<? super K>, V> V find(Resource<K, V> resource, K key)
      throws IOException {
    List<V> found = new ArrayList<>();
    new ProtobufFormat()
        .list(
            resource,
            capture(resource.name() + ".pb"),
            object -> {
              if (object.key().equals(key) && object.object() != null) {
                found.add(object.object());
              }
            });
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
