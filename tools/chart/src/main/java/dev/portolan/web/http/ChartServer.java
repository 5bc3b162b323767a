package dev.portolan.web.http;

import dev.portolan.core.error.Threads;
import dev.portolan.server.ListenException;
import dev.portolan.telemetry.http.BindAddress;
import dev.portolan.telemetry.http.HttpPort;
import dev.portolan.telemetry.http.PortOptions;
import dev.portolan.telemetry.http.PortUnavailableException;
import dev.portolan.tls.ReloadingTls;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import dev.portolan.web.answer.Answers;
import dev.portolan.wiring.ChartSubject;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Serves a chart over HTTP, to be read only: the page's files, answers in JSON, and a stream of
 * changes.
 *
 * <p>What a client can take is bounded: connections, streams, the size of a request, and the time
 * for a request and for an answer.
 */
public final class ChartServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 512;

  /** A slider may drain a thousand nodes, each by its name. */
  private static final int LONGEST_HEAD = 64 << 10;

  private static final Duration TICK = Duration.ofSeconds(1);

  private final HttpPort port;
  private final ChartHandler handler;
  private final Thread watch;
  private final String url;

  private ChartServer(HttpPort port, ChartHandler handler, String url) {
    this.port = port;
    this.handler = handler;
    this.url = url;
    this.watch = Threads.virtual("chart-watch").lasting().start(this::watch);
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
    Optional<PortOptions.Tls> tls =
        listener
            .tls()
            .map(files -> new PortOptions.Tls(context(files, log), listener.token().isEmpty()));
    BindAddress address = BindAddress.parse(listener.ip().withPort(listener.port()));
    ChartHandler handler = new ChartHandler(subject, maker, clients);
    try {
      HttpPort port =
          HttpPort.open(
              address, new PortOptions(MOST_CONNECTIONS, LONGEST_HEAD, tls), handler::handle);
      return new ChartServer(port, handler, listener.url(port.number()));
    } catch (PortUnavailableException e) {
      throw new ListenException(
          address + ": cannot listen: " + e.getMessage() + "; choose another address", e);
    }
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
    return port.number();
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
    port.close();
  }
}
