package dev.portolan.apiserver;

import dev.portolan.netlink.DeadPeers;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** A client of an API server, for any number of threads. */
public final class ApiServer implements AutoCloseable {
  private static final boolean IS_LINUX = System.getProperty("os.name", "").equals("Linux");

  /** What {@link #endDeadConnections} allows. */
  public static final Duration DEAD_AFTER = Duration.ofSeconds(25);

  /** What the parameter names is up to half of an object. Servers before 1.38 ignore it. */
  private static final String UNMANAGED = ";drop=metadata.managedFields";

  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_ACCEPTABLE = 406;

  private final ApiAccess access;
  private final String userAgent;
  private final TokenBucket bucket;
  private final Timeouts timeouts;
  private final Connections connections;
  private final RequestObserver observer;

  /** What follows each type of objects that is accepted. */
  private volatile String parameter = UNMANAGED;

  /**
   * How long to wait.
   *
   * @param connect for the connection
   * @param answer for the first bytes of an answer; the server itself gives up after a minute
   */
  record Timeouts(Duration connect, Duration answer) {
    static final Timeouts USUAL = new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(65));
  }

  ApiServer(ApiAccess access, String userAgent, TokenBucket bucket, Timeouts timeouts) {
    this(access, userAgent, bucket, timeouts, RequestObserver.NONE);
  }

  private ApiServer(
      ApiAccess access,
      String userAgent,
      TokenBucket bucket,
      Timeouts timeouts,
      RequestObserver observer) {
    this.observer = observer;
    this.access = access;
    this.userAgent = userAgent;
    this.bucket = bucket;
    this.timeouts = timeouts;
    this.connections = new Connections(access, timeouts.connect());
  }

  /** The server of {@code access}; nothing is sent yet. */
  public static ApiServer connect(ApiAccess access, ClientLimits limits) {
    return connect(access, limits, RequestObserver.NONE);
  }

  /** The same, with each request reported to {@code observer}. */
  public static ApiServer connect(ApiAccess access, ClientLimits limits, RequestObserver observer) {
    return new ApiServer(
        access, limits.userAgent(), new TokenBucket(limits), Timeouts.USUAL, observer);
  }

  /** Where the server is. */
  public URI address() {
    return access.server();
  }

  /**
   * Asks for {@code pathAndQuery}. Any status is an answer, and its body arrives as it is read.
   *
   * @throws ApiException if there is no answer
   */
  public ApiResponse get(String pathAndQuery, String accept)
      throws ApiException, InterruptedException {
    // A list packs to an eighth, and unpacking is much cheaper than TLS.
    return send(
        request(pathAndQuery).header("Accept", accept).header("Accept-Encoding", "gzip").GET());
  }

  /**
   * Asks for objects, as one of {@code types}, without {@code metadata.managedFields} where the
   * server can leave these out. Any status is an answer.
   *
   * @throws ApiException if there is no answer
   */
  public ApiResponse getObjects(String pathAndQuery, List<String> types)
      throws ApiException, InterruptedException {
    String asked = parameter;
    ApiResponse answer = get(pathAndQuery, accept(types, asked));
    if (asked.isEmpty() || (answer.status() != NOT_ACCEPTABLE && answer.status() != BAD_REQUEST)) {
      return answer;
    }
    // Something before the server, or another server, may refuse what it does not know.
    answer.close();
    parameter = "";
    return get(pathAndQuery, accept(types, ""));
  }

  private static String accept(List<String> types, String parameter) {
    return types.stream().map(type -> type + parameter).collect(Collectors.joining(","));
  }

  /**
   * Sends {@code body} to {@code path}. Any status is an answer.
   *
   * @throws ApiException if there is no answer
   */
  public ApiResponse post(String path, String contentType, byte[] body)
      throws ApiException, InterruptedException {
    return send("POST", path, contentType, body);
  }

  /**
   * Changes the object at {@code path} as {@code body} says. Any status is an answer.
   *
   * @throws ApiException if there is no answer
   */
  public ApiResponse patch(String path, String contentType, byte[] body)
      throws ApiException, InterruptedException {
    return send("PATCH", path, contentType, body);
  }

  private ApiResponse send(String method, String path, String contentType, byte[] body)
      throws ApiException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", contentType)
            .header("Accept", "application/json")
            .method(method, BodyPublishers.ofByteArray(body)));
  }

  /**
   * Leaves the connections to the responses that are still being read; the next request opens a new
   * one. For use when a connection has gone silent.
   */
  public void reconnect() {
    connections.leave();
  }

  /**
   * Has the kernel end connections whose packets vanish, after {@link #DEAD_AFTER}. Call it for
   * each response that may be quiet for long, after it has begun.
   *
   * @return false where that cannot be done, as on other systems than Linux
   */
  public boolean endDeadConnections() {
    return IS_LINUX && DeadPeers.endAfter(DEAD_AFTER, connections.port());
  }

  /** Ends all responses that are still being read. */
  @Override
  public void close() {
    connections.close();
  }

  private HttpRequest.Builder request(String pathAndQuery) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(access.server() + pathAndQuery))
            .header("User-Agent", userAgent);
    access.headers().forEach(header -> request.header(header.getKey(), header.getValue()));
    return request;
  }

  private ApiResponse send(HttpRequest.Builder request) throws ApiException, InterruptedException {
    bucket.take();
    Login login = access.credentials().login();
    ApiResponse answer = send(request, login);
    if (answer.status() != UNAUTHORIZED) {
      return answer;
    }
    Login renewed;
    try {
      renewed = access.credentials().renew(login);
    } catch (ApiException | InterruptedException e) {
      answer.close();
      throw e;
    }
    if (renewed.equals(login)) {
      Optional<ApiException> expired = ApiErrors.expired(access, login);
      if (expired.isPresent()) {
        answer.close();
        throw expired.get();
      }
      return answer;
    }
    answer.close();
    return send(request, renewed);
  }

  private ApiResponse send(HttpRequest.Builder request, Login login)
      throws ApiException, InterruptedException {
    login.authorization().ifPresent(value -> request.setHeader("Authorization", value));
    HttpRequest built = request.build();
    RequestSender client = connections.of(login);
    try {
      return send(built, login, client);
    } catch (ApiException e) {
      if (ApiErrors.isHandshakeRefused(e) && connections.offerAllKeyExchanges(client)) {
        return send(built, login, connections.of(login));
      }
      throw e;
    }
  }

  private ApiResponse send(HttpRequest built, Login login, RequestSender client)
      throws ApiException, InterruptedException {
    long start = System.nanoTime();
    OptionalInt status = OptionalInt.empty();
    CompletableFuture<HttpResponse<InputStream>> future = client.send(built, timeouts.answer());
    try {
      // A timeout of the request itself would end a response that takes longer.
      ApiResponse answer = answer(future.get(timeouts.answer().toNanos(), TimeUnit.NANOSECONDS));
      status = OptionalInt.of(answer.status());
      return answer;
    } catch (TimeoutException e) {
      abandon(future);
      connections.leave(client);
      throw ApiErrors.late(access.server(), timeouts.answer());
    } catch (InterruptedException e) {
      abandon(future);
      throw e;
    } catch (ExecutionException e) {
      throw ApiErrors.because(access, login, e.getCause());
    } finally {
      observer.ended(
          built.method(), built.uri(), status, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  /** Ends a request, even if its response arrives at this very moment. */
  private void abandon(CompletableFuture<HttpResponse<InputStream>> future) {
    if (!future.cancel(true) && future.state() == Future.State.SUCCESS) {
      answer(future.resultNow()).close();
    }
  }

  private ApiResponse answer(HttpResponse<InputStream> response) {
    return new ApiResponse(
        response.statusCode(),
        response.headers(),
        response.sslSession().flatMap(ApiServer::certificate),
        new ResponseBody(
            access.server(),
            response.body(),
            response.headers().firstValue("Content-Encoding").orElse("").equals("gzip")));
  }

  private static Optional<X509Certificate> certificate(SSLSession session) {
    try {
      return session.getPeerCertificates()[0] instanceof X509Certificate shown
          ? Optional.of(shown)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }
}
