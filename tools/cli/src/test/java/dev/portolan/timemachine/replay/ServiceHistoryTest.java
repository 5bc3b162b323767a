package dev.portolan.timemachine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.config.DecisionSettings;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.source.file.Manifests;
import dev.portolan.source.record.RecordedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a change of a service; what is printed are sessions. */
final class ServiceHistoryTest {
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec: {clusterIPs: [10.96.0.20], ports: [{name: http, port: 80}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: web-a, namespace: shop, labels: {kubernetes.io/service-name: web}}
      addressType: IPv4
      ports: [{name: http, port: 8080}]
      endpoints:
      - {addresses: [10.244.1.5], nodeName: worker-1}
      - {addresses: [10.244.2.5], nodeName: worker-2}
      """;

  @ParameterizedTest
  @CsvSource({
    "shop/web,",
    "shop/cart, worker-1",
    "shop/admin,",
    "shop/storefront,",
    "monitoring/agent,"
  })
  @Test
  void an_endpoint_that_moves_to_another_slice_is_no_change() {
    String moved =
        OBJECTS.replace("- {addresses: [10.244.2.5], nodeName: worker-2}\n", "")
            + """
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: web-b, namespace: shop, labels: {kubernetes.io/service-name: web}}
            addressType: IPv4
            ports: [{name: http, port: 8080}]
            endpoints: [{addresses: [10.244.2.5], nodeName: worker-2}]
            """;
    assertThat(history("shop/web", Optional.empty(), states(OBJECTS, moved))).hasSize(1);
  }

  @Test
  void what_happened_while_no_process_ran_is_seen_when_the_next_one_starts() {
    List<RecordedEvent> events = new ArrayList<>(states(OBJECTS));
    events.addAll(states(OBJECTS.replace("port: 80}", "port: 81}")));
    List<HistoryEntry> entries = history("shop/web", Optional.empty(), events);
    assertThat(entries).extracting(HistoryEntry::restarted).containsExactly(false, true);
    assertThat(entries.getLast().causes())
        .extracting(Object::toString)
        .contains("Service shop/web: spec.ports[http].port: 80 -> 81");
  }

  @Test
  void a_restart_alone_is_no_change() {
    List<RecordedEvent> events = new ArrayList<>(states(OBJECTS));
    events.addAll(states(OBJECTS));
    assertThat(history("shop/web", Optional.of("worker-1"), events)).hasSize(1);
  }

  @Test
  void a_node_that_joins_changes_no_service() {
    String node =
        """
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: worker-%d}
        """;
    List<HistoryEntry> entries =
        history(
            "shop/web",
            Optional.empty(),
            states(
                OBJECTS + node.formatted(1),
                OBJECTS + node.formatted(1) + node.formatted(2),
                OBJECTS.replace("10.244.1.5", "10.244.1.6")
                    + node.formatted(1)
                    + node.formatted(2)));
    assertThat(entries).extracting(HistoryEntry::nodes).containsExactly(1, 2);
    assertThat(entries.getLast().groups())
        .singleElement()
        .satisfies(group -> assertThat(group.nodes()).containsExactly("worker-1", "worker-2"));
  }

  private static List<HistoryEntry> history(
      String service, Optional<String> node, List<RecordedEvent> events) {
    List<HistoryEntry> entries = new ArrayList<>();
    int slash = service.indexOf('/');
    ServiceHistory history =
        new ServiceHistory(
            new NamespacedName(service.substring(0, slash), service.substring(slash + 1)),
            node,
            started -> DecisionSettings.DEFAULT,
            entries::add);
    events.forEach(history::take);
    return entries;
  }

  /** A process that saw these states. */
  private static List<RecordedEvent> states(String... manifests) {
    Instant time = Instant.parse("2026-11-16T07:00:00Z");
    List<RecordedEvent> events = new ArrayList<>();
    events.add(new RecordedEvent.Started(time, "1.0.0", "record", "", "file:shop", ""));
    ClusterImage last = ClusterImage.EMPTY;
    for (int i = 0; i < manifests.length; i++) {
      last = Manifests.parse("objects", manifests[i]).image().sharing(last);
      events.add(new RecordedEvent.State(time.plusSeconds(i), i + 1L, i > 0, last, Map.of()));
    }
    return events;
  }
}
