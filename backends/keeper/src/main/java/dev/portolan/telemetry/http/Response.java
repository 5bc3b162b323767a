package dev.portolan.telemetry.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client is answered. */
public final class Response {
  private final int status;
  private final String contentType;
  private final List<String> headers;
  private final byte[] body;
  private final @Nullable Stream stream;
  private final Runnable end;

  /** A body that is written as it comes about; the connection ends with it. */
  public interface Stream {
    /**
     * Writes until there is no more.
     *
     * @throws UncheckedIOException if the client does not read any more
     */
    void write(OutputStream out);
  }

  /** An answer with further headers, each {@code Name: value}. */
  public Response(int status, String contentType, List<String> headers, byte[] body) {
    this(status, contentType, headers, body, null, () -> {});
  }

  private Response(
      int status,
      String contentType,
      List<String> headers,
      byte[] body,
      @Nullable Stream stream,
      Runnable end) {
    this.status = status;
    this.contentType = contentType;
    this.headers = List.copyOf(headers);
    this.body = body;
    this.stream = stream;
    this.end = end;
  }

  /** What has no end yet. */
  public static Response stream(String contentType, Stream stream) {
    return new Response(200, contentType, List.of(), new byte[0], stream, () -> {});
  }

  /** A text. */
  public static Response text(int status, String body) {
    return of(status, "text/plain; charset=utf-8", body);
  }

  /** A value in JSON. */
  public static Response json(int status, String body) {
    return of(status, "application/json", body);
  }

  /** A text of some type. */
  public static Response of(int status, String contentType, String body) {
    return new Response(status, contentType, List.of(), body.getBytes(UTF_8));
  }

  /** The answer to a client that wants to change what can only be read. */
  public static Response onlyForReading() {
    return text(405, "only GET and HEAD are answered here\n").with("Allow: GET, HEAD");
  }

  /** The answer to a path that there is not. */
  public static Response notFound() {
    return text(404, "not found\n");
  }

  /** The same with one more header. */
  public Response with(String header) {
    List<String> more = new ArrayList<>(headers);
    more.add(header);
    return new Response(status, contentType, more, body, stream, end);
  }

  /** The same, after which {@code done} is called: when it is written, or the client is gone. */
  public Response then(Runnable done) {
    return new Response(
        status,
        contentType,
        headers,
        body,
        stream,
        () -> {
          end.run();
          done.run();
        });
  }

  public int status() {
    return status;
  }

  public String contentType() {
    return contentType;
  }

  public List<String> headers() {
    return headers;
  }

  public byte[] body() {
    return body;
  }

  @Nullable Stream stream() {
    return stream;
  }

  void end() {
    end.run();
  }
}
