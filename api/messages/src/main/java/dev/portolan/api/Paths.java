package dev.portolan.api;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.cluster.NamespacedName;

/**
 * Where values are in their sets.
 *
 * <p>Paths of the local stream have slashes between their parts, those of the global stream bars.
 * No name that Kubernetes takes has a bar; one that a person wrote into a file may, and is escaped.
 */
public final class Paths {
  private Paths() {}

  /** Where a service is in ServicesSet. */
  public static String service(NamespacedName name) {
    return name.namespace() + "/" + name.name();
  }

  /**
   * The service at {@code path} in ServicesSet, or that the endpoint at {@code path} belongs to.
   */
  public static NamespacedName service(String path) throws WireException {
    String[] parts = path.split("/", -1);
    if (parts.length < 2 || parts.length > 3 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new WireException("", quote(path) + " is not a path such as namespace/name");
    }
    return new NamespacedName(parts[0], parts[1]);
  }

  /** Where an endpoint is in EndpointsSet. */
  static String endpoint(NamespacedName service, String key) {
    return service(service) + "/" + key;
  }

  /** Where an object is in a set of the global stream; the namespace is empty where it has none. */
  public static String object(NamespacedName name) {
    return object(new ObjectPath(name, "", ""));
  }

  static String object(ObjectPath path) {
    return String.join(
        "|",
        escape(path.name.namespace()),
        escape(path.name.name()),
        escape(path.source),
        escape(path.key));
  }

  /** Reads {@code path} of a set of the global stream. */
  public static ObjectPath object(String path) throws WireException {
    String[] parts = path.split("\\|", -1);
    if (parts.length != 4) {
      throw new WireException("", quote(path) + " is not a path such as namespace|name|source|key");
    }
    return new ObjectPath(
        new NamespacedName(unescape(parts[0]), unescape(parts[1])),
        unescape(parts[2]),
        unescape(parts[3]));
  }

  private static String escape(String part) {
    return part.replace("%", "%25").replace("|", "%7C");
  }

  private static String unescape(String part) {
    return part.replace("%7C", "|").replace("%25", "%");
  }

  /**
   * A path of the global stream.
   *
   * @param name the object, or for endpoints the service; its name is empty in the copies by source
   * @param source for endpoints the slice; else empty
   * @param key for endpoints what tells those of one slice apart; else empty
   */
  public record ObjectPath(NamespacedName name, String source, String key) {}
}
