package dev.portolan.web.http;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.portolan.core.error.Threads;
import dev.portolan.server.ListenException;
import dev.portolan.telemetry.http.FirstUse;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import dev.portolan.web.answer.Answers;
import dev.portolan.wiring.ChartSubject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * Serves a chart over HTTP, to be read only: the page's files, answers in JSON, and a stream of
 * changes.
 *
 * <p>Each request has a virtual thread. What a client can take is bounded: connections, streams,
 * the size of a request, and the time for a request and for an answer.
 */
public final class ChartServer implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final Duration TICK = Duration.ofSeconds(1);

  /** It writes of what clients do wrong. Held strongly so that its level stays. */
  private static final Logger LOUD = Logger.getLogger("com.sun.net.httpserver");

  static {
    LOUD.setLevel(Level.FINER);
    LOUD.setUseParentHandlers(false);
    LOUD.addHandler(new AcceptFailures());
    // The server of the JDK reads its limits once, from here.
    limit("jdk.httpserver.maxConnections", 512);
    limit("sun.net.httpserver.maxReqHeaders", 64);
    // A slider may drain a thousand nodes, each by its name.
    limit("sun.net.httpserver.maxReqHeaderSize", 64 << 10);
    limit("sun.net.httpserver.maxReqTime", 10);
    limit("sun.net.httpserver.maxIdleConnections", 128);
    limit("sun.net.httpserver.idleInterval", 30);
  }

  private final HttpServer server;
  private final ExecutorService threads;
  private final ChartHandler handler;
  private final Thread watch;
  private final String url;

  private ChartServer(
      HttpServer server, ExecutorService threads, ChartHandler handler, String url) {
    this.server = server;
    this.threads = threads;
    this.handler = handler;
    this.url = url;
    this.watch = Threads.virtual("chart-watch").lasting().start(this::watch);
  }

  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /**
   * Serves {@code subject} from now on.
   *
   * @param maker who answers what commands answer as well
   * @param log notified of what is wrong with certificates or the token later
   * @throws ListenException where that is not possible, with a sentence
   */
  public static ChartServer start(
      ChartListener listener, ChartSubject subject, Answers.Maker maker, Consumer<String> log) {
    ClientRule clients = ClientRule.of(listener, log);
    FirstUse.prepare();
    try {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getByAddress(listener.ip().toBytes()), listener.port());
      HttpServer server =
          listener.tls().isPresent()
              ? https(address, listener.tls().get(), listener.token().isPresent(), log)
              : HttpServer.create(address, BACKLOG);
      ExecutorService threads = Threads.virtual("chart").perTask();
      server.setExecutor(threads);
      ChartHandler handler = new ChartHandler(subject, maker, clients);
      server.createContext("/", handler);
      server.start();
      return new ChartServer(server, threads, handler, listener.url(server.getAddress().getPort()));
    } catch (IOException e) {
      throw new ListenException(
          listener.ip().withPort(listener.port())
              + ": cannot listen: "
              + e.getMessage()
              + "; choose another address",
          e);
    }
  }

  private static HttpServer https(
      InetSocketAddress address, TlsFiles files, boolean orToken, Consumer<String> log)
      throws IOException {
    SSLContext context = context(files, log);
    HttpsServer server = HttpsServer.create(address, BACKLOG);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = context.getDefaultSSLParameters();
            if (orToken) {
              wanted.setWantClientAuth(true);
            } else {
              wanted.setNeedClientAuth(true);
            }
            parameters.setSSLParameters(wanted);
          }
        });
    return server;
  }

  private static SSLContext context(TlsFiles files, Consumer<String> log) {
    try {
      ReloadingTls tls = files.load(log);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {tls.keyManager()}, new TrustManager[] {tls.trustManager()}, null);
      return context;
    } catch (TlsException | GeneralSecurityException e) {
      throw new ListenException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Where a browser finds it. */
  public String url() {
    return url;
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(TICK);
        handler.tick();
      }
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  /** Ends all requests. */
  @Override
  public void close() {
    watch.interrupt();
    server.stop(0);
    threads.shutdownNow();
  }
}
