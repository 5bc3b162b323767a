package dev.portolan.telemetry.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** One connection of a client: requests in, answers out, until it is silent for too long. */
final class HttpConnection {
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration REQUEST = Duration.ofSeconds(10);
  private static final int NOT_MODIFIED = 304;
  private static final int LONGEST_BODY = 65_536;
  private static final Pattern REQUEST_LINE = Pattern.compile("[A-Z]+ /[!-~]* HTTP/1\\.[0-9]");

  /** A name is followed by its colon at once, and a line that goes on in the next has none. */
  private static final Pattern HEADER =
      Pattern.compile("([0-9A-Za-z!#$%&'*+.^_`|~-]+):([\t -~\\x80-\\xff]*)");

  private static final Set<String> ONCE = Set.of("host", "content-length", "transfer-encoding");
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  /** As many as any int has. */
  private static final int MOST_DIGITS = 9;

  private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  private static final String[] MONTHS = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
  };

  private final Socket socket;
  private final InputStream in;
  private final int longestHead;
  private final Function<Request, Response> handler;
  private byte[] buffer = new byte[1024];
  private int filled;
  private long deadline;

  private HttpConnection(Socket socket, int longestHead, Function<Request, Response> handler)
      throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.longestHead = longestHead;
    this.handler = handler;
  }

  /** The connection over {@code socket}. */
  static HttpConnection of(Socket socket, PortOptions options, Function<Request, Response> handler)
      throws IOException {
    if (options.tls().isEmpty()) {
      return new HttpConnection(socket, options.longestHead(), handler);
    }
    PortOptions.Tls tls = options.tls().get();
    SSLSocket encrypted =
        (SSLSocket) tls.context().getSocketFactory().createSocket(socket, null, true);
    if (tls.certificateNeeded()) {
      encrypted.setNeedClientAuth(true);
    } else {
      encrypted.setWantClientAuth(true);
    }
    return new HttpConnection(encrypted, options.longestHead(), handler);
  }

  private boolean isCertified() {
    try {
      return socket instanceof SSLSocket encrypted
          && encrypted.getSession().getPeerCertificates().length > 0;
    } catch (SSLPeerUnverifiedException e) {
      return false;
    }
  }

  /** A request that cannot be served; the connection ends with this answer. */
  private static final class BadRequest extends RuntimeException {
    private final int status;

    BadRequest(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  /** Serves until the client is gone. */
  void serve() throws IOException {
    // It may have more to close than the socket below it.
    try (socket) {
      boolean goOn = true;
      while (goOn) {
        goOn = exchange();
      }
    } catch (SocketTimeoutException | EOFException e) {
      // The client is gone, or silent.
    }
  }

  private boolean exchange() throws IOException {
    try {
      return answer();
    } catch (BadRequest e) {
      write(Response.text(e.status, e.getMessage() + "\n"), false, true);
      return false;
    }
  }

  private boolean answer() throws IOException {
    String[] head = head().split("\r\n", -1);
    if (!REQUEST_LINE.matcher(head[0]).matches()) {
      throw new BadRequest(400, "this port speaks HTTP/1.1");
    }
    String[] line = head[0].split(" ", -1);
    Map<String, String> headers = headers(head);
    boolean older = line[2].equals("HTTP/1.0");
    if (!older && !headers.containsKey("host")) {
      throw new BadRequest(400, "a request needs a Host");
    }
    boolean close = older || headers.getOrDefault("connection", "").equalsIgnoreCase("close");
    int question = line[1].indexOf('?');
    Request request =
        new Request(
            line[0],
            question < 0 ? line[1] : line[1].substring(0, question),
            question < 0 ? "" : line[1].substring(question + 1),
            headers,
            body(headers),
            isCertified());
    Response response;
    try {
      response = handler.apply(request);
    } catch (RuntimeException e) {
      response = Response.text(500, request.path() + " failed: " + e + "\n");
    }
    try {
      close |= response.stream() != null;
      write(response, request.method().equals("HEAD"), close);
    } finally {
      response.end();
    }
    return !close;
  }

  /** Reads up to the empty line; what follows it stays in the buffer. */
  private String head() throws IOException {
    deadline = System.nanoTime() + IDLE.toNanos();
    int searched = 0;
    while (true) {
      for (int i = searched; i < filled; i++) {
        if (buffer[i] != '\n') {
          continue;
        }
        if (i == 0 || buffer[i - 1] != '\r') {
          throw new BadRequest(400, "a line must end with CR LF");
        }
        if (i >= 3 && buffer[i - 2] == '\n') {
          String head = new String(buffer, 0, i - 3, ISO_8859_1);
          drop(i + 1);
          return head;
        }
      }
      searched = filled;
      if (filled >= longestHead) {
        throw new BadRequest(431, "the head of the request is too long");
      }
      boolean first = filled == 0;
      fill();
      if (first) {
        deadline = System.nanoTime() + REQUEST.toNanos();
      }
    }
  }

  /** The headers, none of which a proxy in front could have understood otherwise. */
  private static Map<String, String> headers(String[] head) {
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < head.length; i++) {
      Matcher header = HEADER.matcher(head[i]);
      if (!header.matches()) {
        throw new BadRequest(400, "a header must be a name, a colon and a value on one line");
      }
      String name = header.group(1).toLowerCase(Locale.ROOT);
      if (ONCE.contains(name) && headers.containsKey(name)) {
        throw new BadRequest(400, "there is more than one " + header.group(1));
      }
      headers.merge(name, header.group(2).strip(), (one, two) -> one + ", " + two);
    }
    return headers;
  }

  private String body(Map<String, String> headers) throws IOException {
    String digits = headers.getOrDefault("content-length", "0");
    if (headers.containsKey("transfer-encoding")) {
      throw headers.containsKey("content-length")
          ? new BadRequest(400, "a body has either a Content-Length or a Transfer-Encoding")
          : new BadRequest(501, "a body must have a Content-Length");
    }
    if (!DIGITS.matcher(digits).matches()) {
      throw new BadRequest(400, "Content-Length is not a number");
    }
    int length = digits.length() > MOST_DIGITS ? Integer.MAX_VALUE : Integer.parseInt(digits);
    if (length > LONGEST_BODY) {
      throw new BadRequest(413, "the body is too long");
    }
    if (length > filled && headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
      socket.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
    }
    while (filled < length) {
      fill();
    }
    String body = new String(buffer, 0, length, UTF_8);
    drop(length);
    return body;
  }

  private void fill() throws IOException {
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    long left = (deadline - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new SocketTimeoutException();
    }
    socket.setSoTimeout((int) left);
    int count = in.read(buffer, filled, buffer.length - filled);
    if (count < 0) {
      throw new EOFException();
    }
    filled += count;
  }

  private void drop(int count) {
    System.arraycopy(buffer, count, buffer, 0, filled - count);
    filled -= count;
  }

  private void write(Response response, boolean headOnly, boolean close) throws IOException {
    StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(response.status()).append(' ');
    head.append(reason(response.status())).append("\r\nDate: ").append(date()).append("\r\n");
    if (response.status() != NOT_MODIFIED) {
      head.append("Content-Type: ").append(response.contentType()).append("\r\n");
      if (response.stream() == null) {
        head.append("Content-Length: ").append(response.body().length).append("\r\n");
      }
    }
    head.append("X-Content-Type-Options: nosniff\r\n");
    response.headers().forEach(header -> head.append(header).append("\r\n"));
    head.append(close ? "Connection: close\r\n\r\n" : "\r\n");
    ByteArrayOutputStream message = new ByteArrayOutputStream(512);
    message.writeBytes(head.toString().getBytes(UTF_8));
    if (!headOnly) {
      message.writeBytes(response.body());
    }
    message.writeTo(socket.getOutputStream());
    if (response.stream() != null && !headOnly) {
      try {
        response.stream().write(socket.getOutputStream());
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  private static String reason(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 304 -> "Not Modified";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 406 -> "Not Acceptable";
      case 413 -> "Content Too Large";
      case 421 -> "Misdirected Request";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 501 -> "Not Implemented";
      case 503 -> "Service Unavailable";
      default -> "";
    };
  }

  /** The time as HTTP writes it; by hand, since a formatter would load a great deal. */
  private static String date() {
    LocalDateTime now =
        LocalDateTime.ofEpochSecond(System.currentTimeMillis() / 1000, 0, ZoneOffset.UTC);
    return DAYS[now.getDayOfWeek().getValue() - 1]
        + two(", ", now.getDayOfMonth())
        + " "
        + MONTHS[now.getMonthValue() - 1]
        + " "
        + now.getYear()
        + two(" ", now.getHour())
        + two(":", now.getMinute())
        + two(":", now.getSecond())
        + " GMT";
  }

  private static String two(String before, int number) {
    return before + (number < 10 ? "0" : "") + number;
  }
}
