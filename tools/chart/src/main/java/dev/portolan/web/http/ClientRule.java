package dev.portolan.web.http;

import dev.portolan.server.ListenException;
import dev.portolan.telemetry.http.Request;
import dev.portolan.tls.SmallFile;
import dev.portolan.tls.TlsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are answered.
 *
 * <p>A page of another site must not read a chart through a person's browser: neither by asking for
 * it (the browser then names that site as the origin), nor under a name of its own that leads to
 * loopback (the browser then names it as the host). On loopback nothing else is asked for, unless
 * there is a token.
 */
final class ClientRule {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");
  private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);
  private static final String BEARER = "Bearer ";

  private final boolean loopback;
  private final String ownHost;
  private final String scheme;
  private final Optional<Path> file;
  private final Consumer<String> log;
  private byte[] token = {};
  private SmallFile.@Nullable Stamp stamp;
  private long lookedAt;

  /** A request that is not answered, and the reason. */
  record Refusal(int status, String sentence) {}

  private ClientRule(ChartListener listener, Consumer<String> log) {
    boolean tls = listener.tls().isPresent();
    this.loopback = listener.ip().isLoopback() && !tls;
    this.ownHost = withoutPort(listener.ip().withPort(listener.port()));
    this.scheme = tls ? "https://" : "http://";
    this.file = listener.token();
    this.log = log;
  }

  /** The rule of a listener; a token that cannot be read is a mistake now. */
  static ClientRule of(ChartListener listener, Consumer<String> log) {
    ClientRule rule = new ClientRule(listener, log);
    listener.token().ifPresent(rule::read);
    return rule;
  }

  /**
   * Why {@code request} is not answered, if so; files of the page are open to those with a way in.
   */
  Optional<Refusal> refuses(Request request, boolean data) {
    String host = request.header("host");
    String name = withoutPort(host);
    if (loopback && !name.equals(ownHost) && !LOOPBACK.contains(name)) {
      return Optional.of(
          new Refusal(
              421,
              "this chart is served to this machine only, as localhost or "
                  + ownHost
                  + ", and not under another name"));
    }
    String origin = request.header("origin");
    boolean foreign = !origin.isEmpty() && !origin.equalsIgnoreCase(scheme + host);
    if (foreign || (data && OTHER_SITES.contains(request.header("sec-fetch-site")))) {
      return Optional.of(new Refusal(403, "pages of other sites may not read this chart"));
    }
    if (data && file.isPresent() && !request.certified() && !hasToken(request)) {
      return Optional.of(
          new Refusal(401, "this chart needs a token; send it as 'Authorization: Bearer TOKEN'"));
    }
    return Optional.empty();
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    boolean port = colon > host.lastIndexOf(']');
    return (port ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
  }

  private boolean hasToken(Request request) {
    String value = request.header("authorization");
    return value.regionMatches(true, 0, BEARER, 0, BEARER.length())
        && MessageDigest.isEqual(
            value.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8), token());
  }

  /** The newest good token. */
  private synchronized byte[] token() {
    long now = System.nanoTime();
    if (file.isPresent() && now - lookedAt >= LOOK_EVERY) {
      lookedAt = now;
      if (!SmallFile.stamp(file.get()).equals(stamp)) {
        try {
          read(file.get());
        } catch (ListenException e) {
          log.accept(e.getMessage() + "; the previous token stays in use");
        }
      }
    }
    return token;
  }

  private void read(Path path) {
    stamp = SmallFile.stamp(path);
    try {
      String text = new String(SmallFile.read(path), StandardCharsets.UTF_8).strip();
      if (text.isEmpty()) {
        throw new ListenException(path + ": the file has no token; write one line into it", null);
      }
      token = text.getBytes(StandardCharsets.UTF_8);
    } catch (TlsException e) {
      throw new ListenException(String.valueOf(e.getMessage()), e);
    }
  }
}
