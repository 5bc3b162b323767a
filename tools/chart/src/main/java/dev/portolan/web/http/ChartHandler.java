package dev.portolan.web.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.text.Json;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.web.answer.Answers;
import dev.portolan.web.answer.BusyException;
import dev.portolan.web.answer.ChartAnswers;
import dev.portolan.web.answer.Query;
import dev.portolan.web.state.ChartFeed;
import dev.portolan.web.state.NodeRows;
import dev.portolan.wiring.ChartSubject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/** Answers requests: checks them, finds what they are for, and writes the answer. */
final class ChartHandler implements HttpHandler {
  private static final Duration FOR_AN_ANSWER = Duration.ofSeconds(60);
  private static final int MOST_STREAMS = 128;
  private static final int MOST_AT_ONCE = 32;
  private static final int WORTH_PACKING = 1024;
  private static final String API = "/api/";
  private static final Pattern CODE = Pattern.compile(" \\[(PORT-\\d+)]$");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final ClientRule clients;
  private final ChartFeed feed;
  private final ChartAnswers answers;
  private final ChartStream stream;
  private final Deadlines deadlines = new Deadlines();
  private final Semaphore streams = new Semaphore(MOST_STREAMS);
  private final Semaphore requests = new Semaphore(MOST_AT_ONCE);

  ChartHandler(ChartSubject subject, Answers.Maker maker, ClientRule clients) {
    this.clients = clients;
    this.feed = new ChartFeed(subject, InstantSource.system());
    NodeRows nodeRows = new NodeRows(subject);
    this.answers = new ChartAnswers(subject, feed, nodeRows, maker);
    this.stream = new ChartStream(subject, feed, nodeRows, deadlines);
  }

  /** Called once per second: ends what takes too long, and forgets what is not looked at. */
  void tick() {
    deadlines.check();
    feed.rest();
    answers.rest();
  }

  @Override
  public void handle(HttpExchange exchange) {
    deadlines.set(FOR_AN_ANSWER);
    try (exchange) {
      answer(exchange);
    } catch (IOException | UncheckedIOException e) {
      // The client is gone, or takes too long.
    } finally {
      deadlines.clear();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    protect(exchange.getResponseHeaders());
    // The JDK's server hangs forever if, after an accept that failed, it keeps a connection.
    exchange.getResponseHeaders().set("Connection", "close");
    String path = String.valueOf(exchange.getRequestURI().getPath());
    boolean api = path.startsWith(API);
    Optional<ClientRule.Refusal> refusal = clients.refuses(exchange, api);
    if (refusal.isPresent()) {
      refuse(exchange, refusal.get().status(), refusal.get().sentence(), "");
    } else if (!isHead(exchange) && !exchange.getRequestMethod().equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      refuse(exchange, 405, "this chart can only be read; use GET or HEAD", "");
    } else if (!api) {
      file(exchange, path);
    } else if (path.equals(API + "events")) {
      stream(exchange);
    } else {
      data(exchange, path.substring(API.length()));
    }
  }

  private static boolean isHead(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("HEAD");
  }

  private static void protect(Headers headers) {
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  private static void file(HttpExchange exchange, String path) throws IOException {
    Optional<PageFiles.PageFile> found = PageFiles.find(path);
    if (found.isEmpty()) {
      refuse(exchange, 404, "there is no such file", ErrorCode.NOT_FOUND.toString());
      return;
    }
    PageFiles.PageFile file = found.get();
    Headers headers = exchange.getResponseHeaders();
    headers.set("Cache-Control", "no-cache");
    headers.set("ETag", file.tag());
    if (file.tag().equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
      exchange.sendResponseHeaders(304, -1);
      return;
    }
    write(exchange, 200, file.type(), file.content());
  }

  private void stream(HttpExchange exchange) throws IOException {
    if (!streams.tryAcquire()) {
      refuse(exchange, 503, "too many pages are open; close some and try again", "");
      return;
    }
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
      if (isHead(exchange)) {
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      exchange.sendResponseHeaders(200, 0);
      stream.run(exchange.getResponseBody());
    } finally {
      streams.release();
    }
  }

  private void data(HttpExchange exchange, String name) throws IOException {
    if (!requests.tryAcquire()) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      refuse(exchange, 503, "too many requests at the same time; try again", "");
      return;
    }
    byte[] body;
    try {
      Query query = Query.parse(exchange.getRequestURI().getRawQuery());
      Optional<byte[]> answer = answers.answer(name, query);
      if (answer.isEmpty()) {
        refuse(exchange, 404, "there is no api/" + name, ErrorCode.NOT_FOUND.toString());
        return;
      }
      body = answer.get();
    } catch (CommandFailure e) {
      Matcher code = CODE.matcher(e.sentence());
      boolean coded = code.find();
      String word = coded ? code.group(1) : "";
      refuse(
          exchange,
          word.equals(ErrorCode.NOT_FOUND.toString()) ? 404 : 400,
          coded ? e.sentence().substring(0, code.start()) : e.sentence(),
          word);
      return;
    } catch (IllegalArgumentException e) {
      refuse(exchange, 400, String.valueOf(e.getMessage()), "");
      return;
    } catch (BusyException e) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      refuse(exchange, 503, String.valueOf(e.getMessage()), "");
      return;
    } catch (RuntimeException e) {
      refuse(exchange, 500, "internal error: " + e, ErrorCode.INTERNAL.toString());
      return;
    } finally {
      requests.release();
    }
    write(exchange, 200, "application/json; charset=utf-8", body);
  }

  private static void refuse(HttpExchange exchange, int status, String sentence, String code)
      throws IOException {
    if (status == 401) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("error", sentence);
    tree.put("code", code);
    write(
        exchange,
        status,
        "application/json; charset=utf-8",
        Json.line(tree).getBytes(StandardCharsets.UTF_8));
  }

  private static void write(HttpExchange exchange, int status, String type, byte[] content)
      throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", type);
    headers.set("Vary", "Accept-Encoding");
    byte[] body = content;
    String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
    if (content.length >= WORTH_PACKING && accepted != null && accepted.contains("gzip")) {
      headers.set("Content-Encoding", "gzip");
      body = packed(content);
    }
    if (isHead(exchange)) {
      headers.set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static byte[] packed(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.length / 4);
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(content);
    }
    return bytes.toByteArray();
  }
}
