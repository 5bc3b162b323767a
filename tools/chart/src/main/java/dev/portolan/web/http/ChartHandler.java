package dev.portolan.web.http;

import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.text.Json;
import dev.portolan.core.text.Tree;
import dev.portolan.telemetry.http.Request;
import dev.portolan.telemetry.http.Response;
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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/** Answers requests: checks them, and finds what they are for. */
final class ChartHandler {
  private static final Duration FOR_AN_ANSWER = Duration.ofSeconds(60);
  private static final int MOST_STREAMS = 128;
  private static final int MOST_AT_ONCE = 32;
  private static final int WORTH_PACKING = 1024;
  private static final String API = "/api/";
  private static final Pattern CODE = Pattern.compile(" \\[(PORT-\\d+)]$");

  private static final String JSON = "application/json; charset=utf-8";
  private static final String NO_STORE = "Cache-Control: no-store";
  private static final String SOON = "Retry-After: 1";

  /** What keeps a browser strict; the server itself adds that types are not guessed. */
  private static final List<String> STRICT =
      List.of(
          "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"
              + " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          "X-Frame-Options: DENY",
          "Referrer-Policy: no-referrer",
          "Cross-Origin-Opener-Policy: same-origin",
          "Cross-Origin-Resource-Policy: same-origin");

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

  /** The answer to {@code request}; how long it may take is counted from now on. */
  Response handle(Request request) {
    deadlines.set(FOR_AN_ANSWER);
    Response response = answer(request).then(deadlines::clear);
    for (String header : STRICT) {
      response = response.with(header);
    }
    return response;
  }

  private Response answer(Request request) {
    String path = request.path();
    boolean api = path.startsWith(API);
    Optional<ClientRule.Refusal> refusal = clients.refuses(request, api);
    if (refusal.isPresent()) {
      return refuse(request, refusal.get().status(), refusal.get().sentence(), "");
    }
    if (!request.reads()) {
      return refuse(request, 405, "this chart can only be read; use GET or HEAD", "")
          .with("Allow: GET, HEAD");
    }
    if (!api) {
      return file(request, path);
    }
    return path.equals(API + "events")
        ? stream(request)
        : data(request, path.substring(API.length()));
  }

  private static Response file(Request request, String path) {
    Optional<PageFiles.PageFile> found = PageFiles.find(path);
    if (found.isEmpty()) {
      return refuse(request, 404, "there is no such file", ErrorCode.NOT_FOUND.toString());
    }
    PageFiles.PageFile file = found.get();
    boolean known = file.tag().equals(request.header("if-none-match"));
    Response response =
        known
            ? new Response(304, file.type(), List.of("Cache-Control: no-cache"), new byte[0])
            : of(request, 200, file.type(), "no-cache", file.content());
    return response.with("ETag: " + file.tag());
  }

  private Response stream(Request request) {
    if (!streams.tryAcquire()) {
      return refuse(request, 503, "too many pages are open; close some and try again", "");
    }
    return Response.stream("text/event-stream; charset=utf-8", stream::run)
        .with(NO_STORE)
        .with("X-Accel-Buffering: no")
        .then(streams::release);
  }

  private Response data(Request request, String name) {
    if (!requests.tryAcquire()) {
      return refuse(request, 503, "too many requests at the same time; try again", "").with(SOON);
    }
    try {
      Optional<byte[]> answer = answers.answer(name, Query.parse(request.query()));
      return answer
          .map(body -> of(request, 200, JSON, "no-store", body))
          .orElseGet(() ->
              refuse(request, 404, "there is no api/" + name, ErrorCode.NOT_FOUND.toString()));
    } catch (CommandFailure e) {
      Matcher code = CODE.matcher(e.sentence());
      boolean coded = code.find();
      String word = coded ? code.group(1) : "";
      return refuse(
          request,
          word.equals(ErrorCode.NOT_FOUND.toString()) ? 404 : 400,
          coded ? e.sentence().substring(0, code.start()) : e.sentence(),
          word);
    } catch (IllegalArgumentException e) {
      return refuse(request, 400, String.valueOf(e.getMessage()), "");
    } catch (BusyException e) {
      return refuse(request, 503, String.valueOf(e.getMessage()), "").with(SOON);
    } catch (RuntimeException e) {
      return refuse(request, 500, "internal error: " + e, ErrorCode.INTERNAL.toString());
    } finally {
      requests.release();
    }
  }

  private record Refusal(String error, String code) {}

  private static Response refuse(Request request, int status, String sentence, String code) {
    byte[] body = Json.line(Tree.of(new Refusal(sentence, code))).getBytes(StandardCharsets.UTF_8);
    Response response = of(request, status, JSON, "no-store", body);
    return status == 401 ? response.with("WWW-Authenticate: Bearer") : response;
  }

  private static Response of(
      Request request, int status, String type, String cache, byte[] content) {
    boolean pack =
        content.length >= WORTH_PACKING && request.header("accept-encoding").contains("gzip");
    Response response =
        new Response(
            status,
            type,
            List.of("Cache-Control: " + cache, "Vary: Accept-Encoding"),
            pack ? packed(content) : content);
    return pack ? response.with("Content-Encoding: gzip") : response;
  }

  private static byte[] packed(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.length / 4);
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
