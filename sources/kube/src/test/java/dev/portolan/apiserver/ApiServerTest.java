package dev.portolan.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.portolan.apiserver.ApiServer.Timeouts;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asking a server over plain HTTP: answers, streams, and no answer at all. */
@Timeout(60)
class ApiServerTest {
  private static final ClientLimits LIMITS = new ClientLimits(-1, 0, "portolan/test");

  private final TestServer server;
  private final ApiServer api;

  ApiServerTest() throws IOException {
    server = TestServer.plain();
    api = ApiServer.connect(ApiAccess.of(server.address()), LIMITS);
  }

  @AfterEach
  void close() {
    api.close();
    server.close();
  }

  @Test
  void a_request_says_what_is_wanted_and_who_asks() throws Exception {
    try (ApiResponse answer = api.get("/api/v1/services?limit=500", "application/json")) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(new String(answer.body().readAllBytes(), UTF_8)).isEqualTo("hello");
    }
    assertThat(server.last().target()).isEqualTo("/api/v1/services?limit=500");
    assertThat(server.last().headers().get("Accept")).containsExactly("application/json");
    assertThat(server.last().headers().get("User-Agent")).containsExactly("portolan/test");
    assertThat(server.last().headers()).doesNotContainKey("Upgrade");
  }

  @Test
  void objects_are_asked_for_without_managed_fields_unless_that_is_refused() throws Exception {
    List<String> types = List.of("application/x", "application/json");
    try (ApiResponse answer = api.getObjects("/api/v1/services", types)) {
      assertThat(answer.status()).isEqualTo(200);
    }
    assertThat(server.last().headers().get("Accept"))
        .containsExactly(
            "application/x;drop=metadata.managedFields,"
                + "application/json;drop=metadata.managedFields");

    server.answering(exchange -> {
      boolean plain = !exchange.getRequestHeaders().getFirst("Accept").contains(";");
      TestServer.answer(exchange, plain ? 200 : 406, plain ? "hello" : "no");
    });
    for (int i = 0; i < 2; i++) {
      try (ApiResponse answer = api.getObjects("/api/v1/services", types)) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(new String(answer.body().readAllBytes(), UTF_8)).isEqualTo("hello");
      }
    }
    assertThat(server.requests()).as("it is refused once").hasSize(4);
  }

  @Test
  void a_body_is_posted() throws Exception {
    try (ApiResponse answer = api.post("/events", "application/json", "{}".getBytes(UTF_8))) {
      assertThat(answer.status()).isEqualTo(200);
    }
    assertThat(server.last().method()).isEqualTo("POST");
    assertThat(server.last().body()).isEqualTo("{}");
    assertThat(server.last().headers().get("Content-Type")).containsExactly("application/json");
  }

  @Test
  void every_request_is_reported_with_its_status_or_without() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    RequestObserver observer =
        (method, address, status, took) -> {
          assertThat(took).isPositive();
          seen.add(
              method
                  + " "
                  + address.getAuthority()
                  + " "
                  + (status.isPresent() ? status.getAsInt() : "none"));
        };
    String host = server.address().getAuthority();
    try (ApiServer observed = ApiServer.connect(ApiAccess.of(server.address()), LIMITS, observer)) {
      observed.get("/version", "*/*").close();
      observed.post("/events", "application/json", "{}".getBytes(UTF_8)).close();
      server.close();
      observed.reconnect();
      assertThatThrownBy(() -> observed.get("/version", "*/*")).isInstanceOf(ApiException.class);
    }
    assertThat(seen)
        .containsExactly("GET " + host + " 200", "POST " + host + " 200", "GET " + host + " none");
  }

  @Test
  void the_address_may_have_a_path() throws Exception {
    URI address = URI.create(server.address() + "/clusters/one/");
    try (ApiServer other = ApiServer.connect(ApiAccess.of(address), LIMITS)) {
      other.get("/version", "*/*").close();
      assertThat(other.address()).isEqualTo(URI.create(server.address() + "/clusters/one"));
    }
    assertThat(server.last().target()).isEqualTo("/clusters/one/version");
  }

  @Test
  void any_status_is_an_answer() throws Exception {
    for (int status : new int[] {401, 403, 404, 410, 429, 500, 503}) {
      server.answering(exchange -> TestServer.answer(exchange, status, "because"));
      try (ApiResponse answer = api.get("/", "*/*")) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(new String(answer.body().readAllBytes(), UTF_8)).isEqualTo("because");
      }
    }
  }

  @Test
  void a_body_is_read_while_it_comes() throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    server.answering(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      OutputStream body = exchange.getResponseBody();
      body.write('a');
      body.flush();
      await(read);
      body.write('b');
      exchange.close();
    });
    try (ApiResponse answer = api.get("/watch", "*/*")) {
      assertThat(answer.body().read()).isEqualTo('a');
      read.countDown();
      assertThat(answer.body().read()).isEqualTo('b');
      assertThat(answer.body().read()).isEqualTo(-1);
    }
  }

  @Test
  void an_answer_may_take_longer_than_its_beginning() throws Exception {
    Timeouts hasty = new Timeouts(Duration.ofSeconds(10), Duration.ofMillis(300));
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<Void> late = new CompletableFuture<>();
    server.answering(exchange -> {
      if (exchange.getRequestURI().getPath().equals("/never")) {
        await(never);
      }
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('a');
      exchange.getResponseBody().flush();
      late.join();
      exchange.getResponseBody().write('b');
      exchange.close();
    });
    try (ApiServer other = api(server.address(), hasty);
        ApiResponse answer = other.get("/late", "*/*")) {
      assertThat(answer.body().read()).isEqualTo('a');
      assertThatThrownBy(() -> other.get("/never", "*/*"))
          .isInstanceOf(ApiException.class)
          .hasMessage(
              server.address()
                  + ": no answer within 300 ms; the server is overloaded, or something in between"
                  + " drops packets");
      late.complete(null);
      assertThat(answer.body().read()).isEqualTo('b');
    } finally {
      never.countDown();
    }
  }

  @Test
  void closing_ends_whatever_is_read() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    server.answering(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('a');
      exchange.getResponseBody().flush();
      await(end);
    });
    ApiResponse answer = api.get("/watch", "*/*");
    assertThat(answer.body().read()).isEqualTo('a');
    CompletableFuture<Throwable> reader = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        int next = answer.body().read();
        reader.completeExceptionally(new AssertionError("read " + next));
      } catch (IOException e) {
        reader.complete(e);
      }
    });
    api.close();
    assertThat(reader.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ApiException.class);
    end.countDown();
    assertThatThrownBy(() -> api.get("/", "*/*")).hasMessage(server.address() + ": closed");
  }

  /** Beside it, each would open a connection of its own, and over HTTP/2 one is enough for all. */
  @Test
  void the_first_request_goes_alone() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger requests = new AtomicInteger();
    server.answering(exchange -> {
      requests.incrementAndGet();
      asked.countDown();
      await(end);
      TestServer.answer(exchange, 200, "hello");
    });
    List<CompletableFuture<Integer>> answers =
        Stream.of("/a", "/b", "/c")
            .map(path ->
                CompletableFuture.supplyAsync(() -> status(path), Thread::startVirtualThread))
            .toList();
    await(asked);
    Thread.sleep(100);
    assertThat(requests).hasValue(1);
    end.countDown();
    assertThat(answers)
        .allSatisfy(answer ->
            assertThat(answer.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200));
    assertThat(requests).hasValue(3);
  }

  @Test
  void after_a_first_request_that_failed_the_others_go_on() throws Exception {
    server.answering(HttpExchange::close);
    assertThatThrownBy(() -> api.get("/", "*/*")).isInstanceOf(ApiException.class);
    server.answering(exchange -> TestServer.answer(exchange, 200, "hello"));
    assertThat(status("/")).isEqualTo(200);
  }

  private int status(String path) {
    try (ApiResponse answer = api.get(path, "*/*")) {
      return answer.status();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_closed_answer_leaves_the_server_usable() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    server.answering(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('a');
      exchange.getResponseBody().flush();
      await(end);
      exchange.close();
    });
    try (ApiResponse answer = api.get("/watch", "*/*")) {
      assertThat(answer.body().read()).isEqualTo('a');
    }
    end.countDown();
    server.answering(exchange -> TestServer.answer(exchange, 200, "again"));
    api.reconnect();
    try (ApiResponse answer = api.get("/", "*/*")) {
      assertThat(new String(answer.body().readAllBytes(), UTF_8)).isEqualTo("again");
    }
  }

  @Test
  void a_broken_answer_names_the_server() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.startVirtualThread(() -> breakOff(socket));
      URI address = URI.create("http://127.0.0.1:" + socket.getLocalPort());
      try (ApiServer other = api(address, Timeouts.USUAL);
          ApiResponse answer = other.get("/", "*/*")) {
        assertThatThrownBy(() -> answer.body().readAllBytes())
            .isInstanceOf(ApiException.class)
            .hasMessageStartingWith(address + ": the answer broke off: ");
      }
    }
  }

  private static void breakOff(ServerSocket socket) {
    try (Socket client = socket.accept()) {
      InputStream in = client.getInputStream();
      assertThat(in.read()).isPositive();
      client
          .getOutputStream()
          .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".getBytes(UTF_8));
    } catch (IOException e) {
      // The client says what it saw.
    }
  }

  @Test
  void nobody_listens() throws Exception {
    assertNoAnswer(
        "http://127.0.0.1:" + FreePort.next(),
        "connection refused; check address and port, and that the API server" + " runs");
  }

  @Test
  void the_host_is_not_known() {
    assertNoAnswer(
        "http://" + "x".repeat(64) + ".invalid:6443",
        "unknown host name; check it, and this machine's name servers");
  }

  @Test
  void the_server_hangs_up() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.startVirtualThread(() -> {
        for (int i = 0; i < 10; i++) {
          try (Socket client = socket.accept()) {
            assertThat(client.getInputStream().read()).isPositive();
          } catch (IOException e) {
            return;
          }
        }
      });
      assertNoAnswer(
          "http://127.0.0.1:" + socket.getLocalPort(),
          "the server closed the connection without an answer; does it speak TLS? then write"
              + " https://");
    }
  }

  private static void assertNoAnswer(String address, String cause) {
    try (ApiServer other = api(URI.create(address), Timeouts.USUAL)) {
      assertThatThrownBy(() -> other.get("/", "*/*"))
          .isInstanceOf(ApiException.class)
          .hasMessage(address + ": " + cause);
    }
  }

  private static ApiServer api(URI address, Timeouts timeouts) {
    return new ApiServer(ApiAccess.of(address), "test", new TokenBucket(LIMITS), timeouts);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
