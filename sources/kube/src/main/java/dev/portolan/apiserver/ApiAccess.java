package dev.portolan.apiserver;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.tls.Identity;
import dev.portolan.tls.Pem;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Where an API server is and how it is reached: trust, credentials, proxy. */
public final class ApiAccess {
  private final URI server;
  private final Trust trust;
  private final Credentials credentials;
  private final Optional<URI> proxy;
  private final List<Map.Entry<String, String>> headers;

  private ApiAccess(
      URI server,
      Trust trust,
      Credentials credentials,
      Optional<URI> proxy,
      List<Map.Entry<String, String>> headers) {
    this.server = server;
    this.trust = trust;
    this.credentials = credentials;
    this.proxy = proxy;
    this.headers = List.copyOf(headers);
  }

  /** Finds the way to a server. */
  @FunctionalInterface
  public interface Search {
    /** The way; says what is wrong where there is none. */
    ApiAccess find() throws ApiException;
  }

  /** The server at {@code server}, trusted as the system says, without credentials. */
  public static ApiAccess of(URI server) {
    return of(server, Trust.SYSTEM);
  }

  /** The same for an address that a person wrote; without a scheme it means plain HTTP. */
  public static ApiAccess of(String server) throws ApiException {
    return of(address(server, false));
  }

  static ApiAccess of(URI server, Trust trust) {
    return new ApiAccess(bare(server), trust, Credentials.NONE, Optional.empty(), List.of());
  }

  /** The same way to another server. */
  public ApiAccess withServer(URI other) {
    return new ApiAccess(bare(other), trust, credentials, proxy, headers);
  }

  /** The same for an address that a person wrote; without a scheme it keeps the current one. */
  public ApiAccess withServer(String other) throws ApiException {
    return withServer(address(other, isSecure()));
  }

  ApiAccess withCredentials(Credentials others) {
    return new ApiAccess(server, trust, others, proxy, headers);
  }

  ApiAccess withProxy(URI other) {
    return new ApiAccess(server, trust, credentials, Optional.of(other), headers);
  }

  /**
   * The same way in the name of another user, as kubectl's {@code --as} and {@code --as-group}.
   *
   * @throws ApiException if a name cannot be sent
   */
  public ApiAccess impersonating(String user, List<String> groups) throws ApiException {
    List<Map.Entry<String, String>> others = new ArrayList<>();
    others.add(Map.entry("Impersonate-User", user));
    groups.forEach(group -> others.add(Map.entry("Impersonate-Group", group)));
    for (Map.Entry<String, String> header : others) {
      if (header.getValue().isBlank()
          || header.getValue().chars().anyMatch(c -> c < ' ' || c > '~')) {
        throw new ApiException(
            quote(header.getValue()) + " is not a name that can be impersonated; write another");
      }
    }
    return withHeaders(others);
  }

  /** Headers of each request. */
  ApiAccess withHeaders(List<Map.Entry<String, String>> others) {
    return new ApiAccess(server, trust, credentials, proxy, others);
  }

  /** Where the server is; paths begin behind it. */
  public URI server() {
    return server;
  }

  /** Whether the connection uses TLS. Without it no credentials are sent. */
  boolean isSecure() {
    return server.getScheme().equalsIgnoreCase("https");
  }

  /**
   * The certificates that this way depends on, by what they are for: the client's own and the
   * authority's. A program for credentials is run, if there is one.
   */
  public Map<String, X509Certificate> certificates() throws ApiException, InterruptedException {
    Map<String, X509Certificate> found = new LinkedHashMap<>();
    Optional<Identity> own = credentials().login().identity();
    own.ifPresent(identity -> found.put("client", identity.chain().getFirst()));
    Optional<Material> authority = trust.authority();
    if (authority.isPresent()) {
      try {
        int number = 0;
        for (X509Certificate each : Pem.certificates(authority.get().content())) {
          found.put(number++ == 0 ? "authority" : "authority " + number, each);
        }
      } catch (CertificateException e) {
        throw new ApiException(authority.get().describe() + ": " + e.getMessage(), e);
      }
    }
    return found;
  }

  Trust trust() {
    return trust;
  }

  Credentials credentials() {
    return isSecure() ? credentials : Credentials.NONE;
  }

  /** The proxy on the way: the one that was given, or that of the environment. */
  public Optional<URI> proxy() throws ApiException {
    return proxy.isPresent() ? proxy : HttpProxy.of(System.getenv(), server);
  }

  List<Map.Entry<String, String>> headers() {
    return headers;
  }

  /** Parses an address. */
  static URI address(String text, boolean secure) throws ApiException {
    String full = text.contains("://") ? text : (secure ? "https://" : "http://") + text;
    try {
      URI address = new URI(full);
      String scheme = address.getScheme().toLowerCase(Locale.ROOT);
      if (address.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Reported below.
    }
    throw new ApiException(
        quote(text)
            + " is not a valid API server address; write one such as https://10.0.0.1:6443");
  }

  /** {@code server} without what must not precede a path. */
  private static URI bare(URI server) {
    if (server.getHost() == null || server.getScheme() == null) {
      throw new IllegalArgumentException("not a server address: " + server);
    }
    String path = server.getRawPath() == null ? "" : server.getRawPath().replaceFirst("/+$", "");
    return URI.create(server.getScheme() + "://" + authority(server) + path);
  }

  private static String authority(URI server) {
    return server.getPort() < 0 ? server.getHost() : server.getHost() + ":" + server.getPort();
  }
}
