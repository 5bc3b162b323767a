package dev.portolan.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.web.http.EventReader.Event;
import dev.portolan.wiring.NodeProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Changes reach pages as they happen. */
final class ChartStreamTest {
  private static final NamespacedName PAYMENTS = new NamespacedName("shop", "payments");

  @Test
  void helloSaysWhereThePageIs() throws IOException {
    try (FedChart shop = FedChart.shop();
        EventReader events = new EventReader(shop.url(), 0)) {
      Event hello = events.next();
      assertThat(hello.name()).isEqualTo("hello");
      assertThat(hello.data()).containsEntry("revision", 1).containsEntry("version", "1.2.3-test");
      assertThat(hello.data().get("started")).asString().startsWith("20");
    }
  }

  @Test
  void aChangeHasTheRowsAndTheFields() throws IOException {
    try (FedChart shop = FedChart.shop();
        EventReader events = new EventReader(shop.url(), 0)) {
      events.next();
      shop.change(endpointOfPayments());
      Event change = events.next();
      assertThat(change.name()).isEqualTo("change");
      assertThat(change.data()).containsEntry("revision", 2).doesNotContainKey("truncated");
      assertThat(rows(change, "services"))
          .singleElement()
          .satisfies(row ->
              assertThat(row)
                  .containsEntry("id", "shop/payments")
                  .containsEntry("state", "served")
                  .containsEntry("ready", 1));
      assertThat(rows(change, "changes"))
          .anySatisfy(one ->
              assertThat(one)
                  .containsEntry("object", "EndpointSlice shop/payments-w9h3k")
                  .containsEntry("service", "shop/payments")
                  .containsEntry("field", "endpoints[10.244.1.99]"));
    }
  }

  @Test
  void aSourceThatIsLostAndComesBackIsTold() throws IOException {
    try (FedChart shop = FedChart.shop();
        EventReader events = new EventReader(shop.url(), 0)) {
      assertThat(reading(events.next()))
          .containsEntry("kind", "files")
          .containsEntry("current", true)
          .containsEntry("problem", "")
          .containsEntry("lostAt", "");
      shop.source().retrying(ErrorCode.MANIFEST, "shop.yaml: not valid YAML", "the state stays");
      Event lost = events.next();
      assertThat(lost.name()).isEqualTo("reading");
      assertThat(lost.data())
          .containsEntry("current", false)
          .containsEntry("problem", "shop.yaml: not valid YAML [PORT-102]");
      assertThat(lost.data().get("lostAt")).asString().startsWith("20");
      assertThat(lost.data().get("news")).asString().startsWith("20");
      shop.change(endpointOfPayments());
      assertThat(reading(events.next()))
          .as("some of it is news, but not all of it is read")
          .containsEntry("current", false);
      shop.source().recovered();
      assertThat(events.next().data()).containsEntry("current", true).containsEntry("problem", "");
    }
  }

  @Test
  void aRecordingSaysWhenItWas() throws IOException {
    Instant then = Instant.parse("2026-03-12T03:12:00Z");
    try (FedChart shop = FedChart.shop().from(Source.Kind.RECORDING, Optional.of(then));
        EventReader events = new EventReader(shop.url(), 0)) {
      assertThat(reading(events.next()))
          .containsEntry("kind", "recording")
          .containsEntry("recordedAt", then.toString());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> reading(Event event) {
    return (Map<String, Object>) event.data().get("reading");
  }

  @Test
  void aServiceAndANodeMayGo() throws IOException {
    try (FedChart shop = FedChart.shop();
        EventReader events = new EventReader(shop.url(), 0)) {
      events.next();
      shop.change(image -> without(image, PAYMENTS));
      assertThat(events.next().data().get("removed")).isEqualTo(List.of("shop/payments"));
      shop.change(image ->
          new ClusterImage(
              image.services(),
              image.slices(),
              image.nodes().without("worker-3"),
              image.serviceCidrs()));
      Event change = events.next();
      assertThat(change.data().get("nodesRemoved")).isEqualTo(List.of("worker-3"));
      assertThat(rows(change, "services"))
          .as("the only node without an endpoint of its own is gone")
          .anySatisfy(row ->
              assertThat(row)
                  .containsEntry("id", "monitoring/agent")
                  .containsEntry("state", "served"));
    }
  }

  @Test
  void aSlowReaderGetsOneChangeForAll() throws Exception {
    try (FedChart large = FedChart.large(400, 3);
        EventReader slow = new EventReader(large.url(), 4096)) {
      slow.next();
      // More than all buffers on the way hold, while nothing is read.
      for (int round = 0; round < 400; round++) {
        TrafficPolicy policy = round % 2 == 0 ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
        large.change(image -> with(image, policy));
        Thread.sleep(5);
      }
      large.change(image -> image.with(Node.named("last")));
      long last = large.brain().decision().revision();
      int changes = 0;
      long revision;
      do {
        Event change = slow.next();
        changes++;
        revision = ((Number) change.data().get("revision")).longValue();
      } while (revision < last);
      assertThat(changes).isLessThan(200);
    }
  }

  @Test
  void tooManyRowsAreBetterReadAgain() throws IOException {
    try (FedChart large = FedChart.large(1000, 3);
        EventReader events = new EventReader(large.url(), 0)) {
      events.next();
      large.change(image -> with(image, TrafficPolicy.LOCAL));
      Event change = events.next();
      assertThat(change.data()).containsEntry("truncated", true);
      assertThat(rows(change, "services")).isEmpty();
    }
  }

  @Test
  void aRestartIsNoticed() throws IOException {
    try (FedChart shop = FedChart.shop()) {
      Object started;
      try (EventReader events = new EventReader(shop.url(), 0)) {
        started = events.next().data().get("started");
        shop.stop();
        assertThatThrownBy(events::next).isInstanceOf(IOException.class);
      }
      shop.start();
      try (EventReader events = new EventReader(shop.url(), 0)) {
        assertThat(events.next().data().get("started")).isNotEqualTo(started);
      }
    }
  }

  @Test
  void progressOfNodesComesWithoutARevision() throws IOException {
    AtomicReference<List<NodeProgress>> progress = new AtomicReference<>(List.of());
    try (FedChart shop = FedChart.shop(subject -> subject.following(progress::get));
        EventReader events = new EventReader(shop.url(), 0)) {
      events.next();
      progress.set(
          List.of(
              new NodeProgress(
                  "worker-2", 7, 5, Duration.ofSeconds(9), true, "no", "", Optional.empty())));
      Event change = events.next();
      assertThat(change.data()).containsEntry("revision", 1);
      assertThat(rows(change, "nodes"))
          .singleElement()
          .satisfies(row ->
              assertThat(row)
                  .containsEntry("name", "worker-2")
                  .containsEntry("revision", 7)
                  .containsEntry("applied", 5)
                  .containsEntry("lagSeconds", 9)
                  .containsEntry("error", "no"));
    }
  }

  @Test
  void manyReadersGetTheSame() throws IOException {
    try (FedChart shop = FedChart.shop()) {
      List<EventReader> readers = new ArrayList<>();
      try {
        for (int i = 0; i < 20; i++) {
          readers.add(new EventReader(shop.url(), 0));
        }
        for (EventReader reader : readers) {
          assertThat(reader.next().name()).isEqualTo("hello");
        }
        shop.change(endpointOfPayments());
        for (EventReader reader : readers) {
          assertThat(rows(reader.next(), "services")).hasSize(1);
        }
      } finally {
        for (EventReader reader : readers) {
          reader.close();
        }
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Event event, String key) {
    return (List<Map<String, Object>>) event.data().get(key);
  }

  /** Gives shop/payments the endpoint that it lacks. */
  private static UnaryOperator<ClusterImage> endpointOfPayments() {
    NamespacedName name = new NamespacedName("shop", "payments-w9h3k");
    return image -> {
      EndpointSlice old = Optional.ofNullable(image.slices().get(name)).orElseThrow();
      EndpointSlice slice =
          new EndpointSlice(
              name,
              old.serviceName(),
              old.addressType(),
              old.ports(),
              List.of(
                  new EndpointSlice.Member(
                      List.of("10.244.1.99"),
                      EndpointSlice.Conditions.READY,
                      "worker-1",
                      "zone-a",
                      List.of(),
                      List.of(),
                      "Pod shop/payments-1")),
              false,
              null);
      return new ClusterImage(
          image.services(), image.slices().with(name, slice), image.nodes(), image.serviceCidrs());
    };
  }

  private static ClusterImage without(ClusterImage image, NamespacedName service) {
    return new ClusterImage(
        image.services().without(service), image.slices(), image.nodes(), image.serviceCidrs());
  }

  /** All services with another policy. */
  private static ClusterImage with(ClusterImage image, TrafficPolicy policy) {
    ClusterImage changed = image;
    for (Map.Entry<NamespacedName, Service> entry : image.services()) {
      Service old = entry.getValue();
      Service service =
          Service.named(old.name().namespace(), old.name().name())
              .clusterIps(old.clusterIps())
              .ports(old.ports())
              .internalTrafficPolicy(policy)
              .build();
      changed =
          new ClusterImage(
              changed.services().with(service.name(), service),
              changed.slices(),
              changed.nodes(),
              changed.serviceCidrs());
    }
    return changed;
  }
}
