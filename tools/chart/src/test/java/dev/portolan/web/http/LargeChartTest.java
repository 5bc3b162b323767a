package dev.portolan.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.web.http.EventReader.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A chart of ten thousand services and a thousand nodes. */
final class LargeChartTest {
  @AutoClose private static final FedChart LARGE = FedChart.large(10_000, 1_000);

  @Test
  void allOfItCanBeRead() throws IOException {
    assertThat(size("api/services", "services")).isEqualTo(10_000);
    assertThat(size("api/nodes", "nodes")).isEqualTo(1_000);
    assertThat(size("api/search?q=svc", "hits")).isEqualTo(50);
    assertThat(size("api/node?name=node-0500", "row")).isPositive();
  }

  @Test
  void aChangeOfOneServiceIsOneRow() throws IOException {
    try (EventReader events = new EventReader(LARGE.url(), 0)) {
      events.next();
      NamespacedName name = new NamespacedName("ns-01", "svc-00001");
      LARGE.change(image ->
          new ClusterImage(
              image.services(),
              image.slices().without(new NamespacedName("ns-01", "svc-00001-x")),
              image.nodes(),
              image.serviceCidrs()));
      Event change = events.next();
      assertThat((List<?>) change.data().get("services"))
          .singleElement()
          .satisfies(
              row -> assertThat((Map<?, ?>) row).isEqualTo(RowOf.id(LARGE.url(), name.toString())));
      assertThat((List<?>) change.data().get("changes")).isNotEmpty();
    }
  }

  @Test
  void manyMayAskAtTheSameTime() throws Exception {
    List<Future<Integer>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        String path = "api/service?id=ns-%02d/svc-%05d".formatted(i % 50, i);
        answers.add(threads.submit(() -> RawHttp.get(LARGE.url(), path).status()));
      }
    }
    for (Future<Integer> answer : answers) {
      assertThat(answer.get()).isIn(200, 503);
    }
    assertThat(RawHttp.get(LARGE.url(), "api/overview").status()).isEqualTo(200);
  }

  private static int size(String path, String key) throws IOException {
    return switch (RawHttp.get(LARGE.url(), path).tree().get(key)) {
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      default -> 0;
    };
  }

  /** A row as the whole table has it. */
  private static final class RowOf {
    static Object id(String url, String id) {
      try {
        return ((List<?>) RawHttp.get(url, "api/services").tree().get("services"))
            .stream()
                .filter(row -> ((Map<?, ?>) row).get("id").equals(id))
                .findFirst()
                .orElseThrow();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }
}
