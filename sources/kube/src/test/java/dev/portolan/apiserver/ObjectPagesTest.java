package dev.portolan.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole objects, page by page, and what a server says that does not give them. */
@Timeout(60)
final class ObjectPagesTest {
  private final TestServer server;
  private final ApiServer api;
  private final List<String> names = new ArrayList<>();

  ObjectPagesTest() throws IOException {
    server = TestServer.plain();
    api = ApiServer.connect(ApiAccess.of(server.address()), new ClientLimits(-1, 0, "test"));
  }

  @AfterEach
  void close() {
    api.close();
    server.close();
  }

  @Test
  void allPagesAreHandedOver() throws Exception {
    server.answering(exchange -> {
      boolean second = exchange.getRequestURI().getRawQuery().contains("continue=a+b%2Bc");
      TestServer.answer(exchange, 200, second ? page("two", "") : page("one", "a b+c"));
    });
    assertThat(list()).isEmpty();
    assertThat(names).containsExactly("one", "two");
    assertThat(server.requests())
        .extracting(TestServer.Request::target)
        .containsExactly("/api/v1/pods?limit=500", "/api/v1/pods?limit=500&continue=a+b%2Bc");
  }

  @Test
  void aListThatTookTooLongGoesOnAtANewerVersion() throws Exception {
    server.answering(exchange -> {
      String query = exchange.getRequestURI().getQuery();
      if (query.contains("old")) {
        TestServer.answer(
            exchange, 410, "{\"message\":\"expired\",\"metadata\":{\"continue\":\"new\"}}");
      } else {
        TestServer.answer(
            exchange, 200, query.contains("new") ? page("two", "") : page("one", "old"));
      }
    });
    assertThat(list()).isEmpty();
    assertThat(names).containsExactly("one", "two");
  }

  @Test
  void aRefusalIsSaidInTheServersWords() throws Exception {
    server.answering(
        exchange -> TestServer.answer(exchange, 403, "{\"message\":\"pods is forbidden\"}"));
    assertThat(list()).contains(server.address() + " answers with 403: pods is forbidden");
    server.answering(exchange -> TestServer.answer(exchange, 502, "<html>Bad: gateway"));
    assertThat(list()).contains(server.address() + " answers with 502");
  }

  @Test
  void anAnswerThatIsNotAListIsAFailure() {
    assertThatThrownBy(this::list)
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("/api/v1/pods: the answer cannot be read");
  }

  private Optional<String> list() throws ApiException, InterruptedException {
    return new ObjectPages(api)
        .list("/api/v1/pods", pod -> names.add(pod.at("metadata").at("name").text()));
  }

  private static String page(String name, String next) {
    return "{\"metadata\":{\"continue\":\"%s\"},\"items\":[{\"metadata\":{\"name\":\"%s\"}}]}"
        .formatted(next, name);
  }
}
