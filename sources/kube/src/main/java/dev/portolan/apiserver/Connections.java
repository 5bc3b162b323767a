package dev.portolan.apiserver;

import dev.portolan.tls.CipherOrder;
import dev.portolan.tls.Identity;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server. They are replaced when the client's certificate or the server's
 * authority changes; responses that are still being read stay on the old ones.
 */
final class Connections implements AutoCloseable {
  private final ApiAccess access;
  private final Duration timeout;
  private final List<RequestSender> left = new ArrayList<>();
  private @Nullable RequestSender client;
  private int port;
  private Optional<Identity> identity = Optional.empty();
  private byte[] authority = {};
  private boolean offersAllKeyExchanges;
  private boolean closed;

  Connections(ApiAccess access, Duration timeout) {
    this.access = access;
    this.timeout = timeout;
  }

  /** The connections that authenticate with {@code login}. */
  synchronized RequestSender of(Login login) throws ApiException {
    if (closed) {
      throw new ApiException(access.server() + ": closed");
    }
    byte[] newAuthority = access.isSecure() ? access.trust().authorityBytes() : new byte[0];
    RequestSender present = client;
    if (present != null
        && login.identity().equals(identity)
        && Arrays.equals(newAuthority, authority)) {
      return present;
    }
    RequestSender fresh = open(login.identity(), newAuthority);
    leave();
    client = fresh;
    identity = login.identity();
    authority = newAuthority;
    return fresh;
  }

  /** The port, of the server or of the proxy before it, that the current connections lead to. */
  synchronized int port() {
    return port;
  }

  private RequestSender open(Optional<Identity> shown, byte[] authorityBytes) throws ApiException {
    Optional<InetSocketAddress> proxy = proxy();
    port = proxy.map(InetSocketAddress::getPort).orElse(HttpProxy.port(access.server()));
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            // What is left to do is short and never blocks, so no thread is woken for it.
            .executor(Runnable::run)
            .proxy(proxy.map(ProxySelector::of).orElse(HttpClient.Builder.NO_PROXY));
    if (!access.isSecure()) {
      return new RequestSender(builder.version(Version.HTTP_1_1).build());
    }
    SSLContext context = access.trust().context(authorityBytes, shown, offersAllKeyExchanges);
    return new RequestSender(
        builder
            .version(Version.HTTP_2)
            .sslContext(context)
            .sslParameters(cheapFirst(context.getDefaultSSLParameters()))
            .build());
  }

  private static SSLParameters cheapFirst(SSLParameters parameters) {
    parameters.setCipherSuites(
        CipherOrder.cheapFirst(List.of(parameters.getCipherSuites())).toArray(String[]::new));
    return parameters;
  }

  /**
   * After a server refused {@code stale}: offers it every key exchange from now on. Some servers
   * know only those of FIPS.
   *
   * @return whether that is more than before, so that another try is worth it
   */
  synchronized boolean offerAllKeyExchanges(RequestSender stale) {
    if (Objects.equals(client, stale)) {
      if (offersAllKeyExchanges) {
        return false;
      }
      offersAllKeyExchanges = true;
      leave();
    }
    return offersAllKeyExchanges;
  }

  private Optional<InetSocketAddress> proxy() throws ApiException {
    return access.proxy().map(at -> new InetSocketAddress(at.getHost(), HttpProxy.port(at)));
  }

  /** Lets the current connections end with the responses on them; the next request opens others. */
  synchronized void leave() {
    left.removeIf(RequestSender::hasEnded);
    if (client != null) {
      client.leave();
      left.add(client);
      client = null;
    }
  }

  /** The same, unless another thread has replaced {@code stale} already. */
  synchronized void leave(RequestSender stale) {
    if (Objects.equals(client, stale)) {
      leave();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    leave();
    left.forEach(RequestSender::end);
  }
}
