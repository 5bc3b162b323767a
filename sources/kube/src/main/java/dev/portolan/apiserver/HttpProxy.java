package dev.portolan.apiserver;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The proxy on the way to a server: the one that was given, or the one of the environment. */
final class HttpProxy {
  private static final String REMEDY = "; write http://HOST:PORT";

  private HttpProxy() {}

  /**
   * The proxy that {@code text} names; error messages are half a sentence, for the caller to
   * complete.
   */
  static URI parse(String text) throws ApiException {
    URI proxy;
    try {
      proxy = new URI(text.contains("://") ? text : "http://" + text);
    } catch (URISyntaxException e) {
      throw new ApiException(quote(text) + " is not a valid proxy address" + REMEDY, e);
    }
    if (proxy.getUserInfo() != null) {
      throw new ApiException("a proxy that wants a name and a password is not supported" + REMEDY);
    }
    if (proxy.getHost() == null) {
      throw new ApiException(quote(text) + " is not a valid proxy address" + REMEDY);
    }
    if (!proxy.getScheme().equalsIgnoreCase("http")) {
      throw new ApiException(
          "a proxy that is reached by "
              + quote(proxy.getScheme())
              + " is not supported; write http://HOST:PORT of one that is reached by plain HTTP");
    }
    return proxy;
  }

  /**
   * The proxy that the variables {@code HTTPS_PROXY}, {@code HTTP_PROXY}, {@code NO_PROXY} name.
   */
  static Optional<URI> of(Map<String, String> environment, URI server) throws ApiException {
    String name = isSecure(server) ? "HTTPS_PROXY" : "HTTP_PROXY";
    String value = variable(environment, name);
    String host = server.getHost().replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT);
    int port = port(server);
    if (value.isEmpty()
        || isLocal(host)
        || isExcepted(variable(environment, "NO_PROXY"), host, port)) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(value));
    } catch (ApiException e) {
      throw new ApiException("the environment's " + name + ": " + e.getMessage(), e);
    }
  }

  /** The port that {@code address} names, or that of its scheme. */
  static int port(URI address) {
    return address.getPort() >= 0 ? address.getPort() : isSecure(address) ? 443 : 80;
  }

  private static boolean isSecure(URI address) {
    return address.getScheme().equalsIgnoreCase("https");
  }

  private static String variable(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    return value.isEmpty() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : value;
  }

  private static boolean isLocal(String host) {
    return host.equals("localhost") || Ip.parse(host).filter(Ip::isLoopback).isPresent();
  }

  private static boolean isExcepted(String exceptions, String host, int port) {
    Optional<Ip> ip = Ip.parse(host);
    for (String item : exceptions.toLowerCase(Locale.ROOT).split(",", -1)) {
      String exception = item.strip();
      if (exception.equals("*")
          || (ip.isPresent() && coversIp(exception, ip.get(), port))
          || (ip.isEmpty() && coversName(exception, host, port))) {
        return true;
      }
    }
    return false;
  }

  private static boolean coversIp(String exception, Ip ip, int port) {
    return Cidr.parse(exception).filter(range -> range.contains(ip)).isPresent()
        || exception.equals(ip.toString())
        || exception.equals(ip.withPort(port));
  }

  /** {@code example.com} means the name and all below it, {@code .example.com} only these. */
  private static boolean coversName(String exception, String host, int port) {
    String suffix = ":" + port;
    String name =
        exception.endsWith(suffix)
            ? exception.substring(0, exception.length() - suffix.length())
            : exception;
    if (name.startsWith("*.")) {
      name = name.substring(1);
    }
    if (name.isEmpty()) {
      return false;
    }
    return name.startsWith(".")
        ? host.endsWith(name)
        : host.equals(name) || host.endsWith("." + name);
  }
}
