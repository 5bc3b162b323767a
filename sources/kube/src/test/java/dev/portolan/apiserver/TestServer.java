package dev.portolan.apiserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.portolan.testbase.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** A server on this machine that remembers what it was asked. */
final class TestServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private volatile HttpHandler handler = exchange -> answer(exchange, 200, "hello");

  /** What a client asked, and what it showed of itself. */
  record Request(
      String method,
      String target,
      Headers headers,
      String body,
      String subject,
      String serverName) {
    String authorization() {
      return String.valueOf(headers.getFirst("Authorization"));
    }
  }

  private TestServer(HttpServer server) {
    this.server = server;
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  static TestServer plain() throws IOException {
    return new TestServer(HttpServer.create(anyPort(), 0));
  }

  /** A server that is {@code alias} of the test certificates. */
  static TestServer secure(String alias) throws Exception {
    return secure(alias, false);
  }

  static TestServer secure(String alias, boolean needsCertificate) throws Exception {
    return secure(
        alias,
        wanted -> {
          if (needsCertificate) {
            wanted.setNeedClientAuth(true);
          }
        });
  }

  /** A server with other parameters than the usual ones. */
  static TestServer secure(String alias, Consumer<SSLParameters> adjustment) throws Exception {
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(Certificates.made().server(alias)) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
            wanted.setWantClientAuth(true);
            adjustment.accept(wanted);
            parameters.setSSLParameters(wanted);
          }
        });
    return new TestServer(server);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  }

  void answering(HttpHandler other) {
    handler = other;
  }

  static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    requests.add(
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            exchange.getRequestHeaders(),
            body,
            exchange instanceof HttpsExchange secure ? subject(secure.getSSLSession()) : "",
            exchange instanceof HttpsExchange secure ? name(secure.getSSLSession()) : ""));
    handler.handle(exchange);
  }

  private static String subject(SSLSession session) {
    try {
      return session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }

  private static String name(SSLSession session) {
    return ((ExtendedSSLSession) session)
        .getRequestedServerNames().stream()
            .map(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII))
            .collect(Collectors.joining());
  }

  int port() {
    return server.getAddress().getPort();
  }

  URI address() {
    return URI.create(scheme() + "://127.0.0.1:" + port());
  }

  private String scheme() {
    return server instanceof HttpsServer ? "https" : "http";
  }

  List<Request> requests() {
    return requests;
  }

  Request last() {
    return requests.getLast();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
