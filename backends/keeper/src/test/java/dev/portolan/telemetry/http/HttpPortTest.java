package dev.portolan.telemetry.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HttpPortTest {
  private final CountDownLatch ended = new CountDownLatch(1);
  @AutoClose private HttpPort port;

  @BeforeEach
  void open() throws IOException {
    port =
        HttpPort.open(
            BindAddress.parse("127.0.0.1:" + FreePort.next()),
            request -> {
              if (request.path().equals("/stream")) {
                return Response.stream("text/event-stream", this::untilItIsClosed)
                    .then(ended::countDown);
              }
              if (request.path().equals("/broken")) {
                throw new IllegalStateException("a wheel is missing");
              }
              return Response.text(
                  200,
                  request.method() + " " + request.path() + " " + request.query() + request.body());
            });
  }

  @Test
  void aRequestIsAnswered() throws IOException {
    Wire.Answer answer = Wire.get(port.number(), "/a/b?c=d&e");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("GET /a/b c=d&e");
    assertThat(answer.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.header("date"))
        .matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
  }

  @Test
  void headHasNoBody() throws IOException {
    Wire.Answer answer = Wire.ask(port.number(), "HEAD", "/a", "");
    assertThat(answer.header("content-length")).isEqualTo("8");
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void aBodyIsRead() throws IOException {
    assertThat(Wire.ask(port.number(), "PUT", "/a", "four").body()).isEqualTo("PUT /a four");
  }

  @Test
  void aConnectionCarriesManyRequests() throws IOException {
    try (Wire wire = new Wire(port.number())) {
      for (int i = 0; i < 3; i++) {
        wire.send("GET /" + i + " HTTP/1.1\r\nHost: here\r\n\r\n");
        assertThat(wire.answer(true).body()).isEqualTo("GET /" + i + " ");
      }
      wire.send("GET /a HTTP/1.1\r\nHOST:\r\n\r\nPUT /b HTTP/1.1\r\nHost: here\r\n");
      wire.send("content-length:2\r\n\r\nhiGET /c HT");
      assertThat(wire.answer(true).body()).isEqualTo("GET /a ");
      assertThat(wire.answer(true).body()).isEqualTo("PUT /b hi");
      wire.send("TP/1.0\r\n\r\n");
      assertThat(wire.answer(true).header("connection")).isEqualTo("close");
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aClientMayWaitBeforeItSendsTheBody() throws IOException {
    try (Wire wire = new Wire(port.number())) {
      wire.send(
          "PUT /a HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
      assertThat(wire.answer(false).status()).isEqualTo(100);
      wire.send("x");
      assertThat(wire.answer(true).body()).isEqualTo("PUT /a x");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | hello",
        "400 | GET /",
        "400 | GET http://a/b HTTP/1.1",
        "400 | GET / HTTP/2.0",
        "400 | GET / HTTP/1.10,Host: a",
        "400 | GET  / HTTP/1.1,Host: a",
        "400 | ' GET / HTTP/1.1,Host: a'",
        "400 | GET /<TAB>HTTP/1.1,Host: a",
        "400 | GET /\u00e4 HTTP/1.1,Host: a",
        "400 | GET / HTTP/1.1",
        "400 | GET / HTTP/1.1,Accept: a",
        "400 | GET / HTTP/1.1,Host: a,host: b",
        "400 | GET / HTTP/1.1,Host : a",
        "400 | GET / HTTP/1.1,Host: a, folded",
        "400 | GET / HTTP/1.1,Host: a,<TAB>folded: b",
        "400 | GET / HTTP/1.1,Host: a<CR>Accept: b",
        "400 | GET / HTTP/1.1,Host: a<NUL>",
        "400 | GET / HTTP/1.1,Host: a,B (c): d",
        "400 | GET / HTTP/1.1,Host: a,no header",
        "400 | GET / HTTP/1.1,Host: a,: empty",
        "400 | GET / HTTP/1.1<LF>Host: a",
        "400 | PUT / HTTP/1.1,Host: a,Content-Length: many",
        "400 | PUT / HTTP/1.1,Host: a,Content-Length: +5",
        "400 | PUT / HTTP/1.1,Host: a,Content-Length: -1",
        "400 | PUT / HTTP/1.1,Host: a,Content-Length:",
        "400 | PUT / HTTP/1.1,Host: a,Content-Length: 0x1",
        "400 | PUT / HTTP/1.1,Host: a,Content-Length: 1,Content-Length: 1",
        "400 | PUT / HTTP/1.1,Host: a,Content-Length: 1,Transfer-Encoding: chunked",
        "413 | PUT / HTTP/1.1,Host: a,Content-Length: 99999999",
        "413 | PUT / HTTP/1.1,Host: a,Content-Length: 4294967295",
        "413 | PUT / HTTP/1.1,Host: a,Content-Length: 99999999999999999999",
        "501 | PUT / HTTP/1.1,Host: a,Transfer-Encoding: chunked",
      })
  void whatIsNoRequestEndsTheConnection(int status, String lines) throws IOException {
    try (Wire wire = new Wire(port.number())) {
      String head =
          lines
              .replace(",", "\r\n")
              .replace("<CR>", "\r")
              .replace("<LF>", "\n")
              .replace("<TAB>", "\t")
              .replace("<NUL>", "\0");
      wire.send(head + "\r\n\r\n");
      assertThat(wire.answer(true).status()).isEqualTo(status);
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void linesThatEndOtherwiseAreRefusedAtOnce() throws IOException {
    try (Wire wire = new Wire(port.number())) {
      wire.send("GET / HTTP/1.1\nHost: a\n\n");
      assertThat(wire.answer(true).status()).isEqualTo(400);
      assertThat(wire.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aHeadMayComeInPieces() throws IOException {
    try (Wire wire = new Wire(port.number())) {
      for (char c : "GET /a HTTP/1.1\r\nHost: here\r\nX: \u00e4\tb\r\n\r\n".toCharArray()) {
        wire.send(String.valueOf(c));
      }
      assertThat(wire.answer(true).body()).isEqualTo("GET /a ");
    }
  }

  @Test
  void aHeadWithoutEndIsCut() throws IOException {
    try (Wire wire = new Wire(port.number())) {
      wire.send("GET / HTTP/1.1\r\nA: " + "a".repeat(16_384));
      assertThat(wire.answer(true).status()).isEqualTo(431);
    }
  }

  @Test
  void aPageThatFailsSaysSo() throws IOException {
    Wire.Answer answer = Wire.get(port.number(), "/broken");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).contains("/broken failed").contains("a wheel is missing");
  }

  @Test
  void manySilentClientsDoNotKeepOthersOut() throws IOException {
    List<Wire> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * PortOptions.DEFAULT.mostConnections(); i++) {
        silent.add(new Wire(port.number()));
      }
      assertThat(Wire.get(port.number(), "/a").status()).isEqualTo(200);
      assertThat(silent.getFirst().isClosedByServer()).isTrue();
    } finally {
      for (Wire wire : silent) {
        wire.close();
      }
    }
  }

  private void untilItIsClosed(OutputStream out) {
    try {
      out.write("one ".getBytes(ISO_8859_1));
      new CountDownLatch(1).await();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aStreamEndsWithItsPort() throws Exception {
    try (Wire wire = new Wire(port.number())) {
      wire.send("GET /stream HTTP/1.1\r\nHost: here\r\n\r\n");
      Wire.Answer head = wire.answer(false);
      assertThat(head.headers()).containsEntry("connection", "close");
      assertThat(head.headers()).doesNotContainKey("content-length");
      assertThat(wire.read(4)).isEqualTo("one ");
      assertThat(ended.getCount()).isEqualTo(1);
      port.close();
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void aStreamHasAHead() throws Exception {
    Wire.Answer head = Wire.ask(port.number(), "HEAD", "/stream", "");
    assertThat(head.header("content-type")).isEqualTo("text/event-stream");
    assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void closingEndsConnectionsAndFreesThePort() throws IOException {
    try (Wire wire = new Wire(port.number())) {
      wire.send("GET /a HTTP/1.1\r\nHost: here\r\n\r\n");
      wire.answer(true);
      port.close();
      assertThat(wire.isClosedByServer()).isTrue();
    }
    HttpPort.open(
            BindAddress.parse("127.0.0.1:" + port.number()), request -> Response.text(200, ""))
        .close();
  }
}
