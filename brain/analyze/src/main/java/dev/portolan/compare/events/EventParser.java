package dev.portolan.compare.events;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.Quotes;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads events as users write them. A bad one is an IllegalArgumentException with a sentence. */
public final class EventParser {
  private static final Pattern SCALE = Pattern.compile("([^/=]+)/([^/=]+)=(\\d+)");
  private static final int MOST_PODS = 1_000_000;
  private static final Pattern IN_NAMESPACE = Pattern.compile("([^/]+)/([^/]+)");

  private EventParser() {}

  /** An event of a kind: {@code drain}, {@code lose}, {@code delete}, {@code scale} and so on. */
  public static ClusterEvent parse(String kind, String text) {
    return switch (kind) {
      case "drain" -> new ClusterEvent.Drain(text);
      case "lose" -> new ClusterEvent.LoseZone(text);
      case "delete" -> delete(text);
      case "scale" -> scale(text);
      case "not-ready" -> notReady(text);
      default -> throw new IllegalArgumentException("unknown event " + quoted(kind));
    };
  }

  private static ClusterEvent delete(String text) {
    int slash = text.indexOf('/');
    String kind = slash < 0 ? text : text.substring(0, slash).toLowerCase(Locale.ROOT);
    String name = slash < 0 ? "" : text.substring(slash + 1);
    Optional<NamespacedName> inNamespace = inNamespace(name);
    switch (kind) {
      case "pod", "pods", "po" -> {
        if (inNamespace.isPresent()) {
          return new ClusterEvent.DeletePod(inNamespace.get());
        }
      }
      case "service", "services", "svc" -> {
        if (inNamespace.isPresent()) {
          return new ClusterEvent.DeleteService(inNamespace.get());
        }
      }
      case "endpointslice", "endpointslices" -> {
        if (inNamespace.isPresent()) {
          return new ClusterEvent.DeleteSlice(inNamespace.get());
        }
      }
      case "node", "nodes", "no" -> {
        if (!name.isEmpty() && !name.contains("/")) {
          return new ClusterEvent.DeleteNode(name);
        }
      }
      default -> {}
    }
    throw new IllegalArgumentException(
        quoted(text)
            + " does not name an object; write pod/NAMESPACE/NAME, service/NAMESPACE/NAME,"
            + " endpointslice/NAMESPACE/NAME or node/NAME");
  }

  private static ClusterEvent scale(String text) {
    Matcher matcher = SCALE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          quoted(text) + " must be NAMESPACE/SERVICE=PODS, such as shop/web=2");
    }
    BigInteger pods = new BigInteger(matcher.group(3));
    if (pods.compareTo(BigInteger.valueOf(MOST_PODS)) > 0) {
      throw new IllegalArgumentException(
          quoted(text)
              + " is more than a cluster can have: Kubernetes supports 150,000 pods; write a number"
              + " up to 1,000,000");
    }
    return new ClusterEvent.Scale(
        new NamespacedName(matcher.group(1), matcher.group(2)), pods.intValue());
  }

  private static ClusterEvent notReady(String text) {
    return new ClusterEvent.NotReady(
        Ip.parse(text)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    quoted(text)
                        + " is not a valid IP address of an endpoint, such as 10.244.1.51")));
  }

  private static Optional<NamespacedName> inNamespace(String text) {
    Matcher matcher = IN_NAMESPACE.matcher(text);
    return matcher.matches()
        ? Optional.of(new NamespacedName(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  private static String quoted(String text) {
    return "'" + Quotes.printable(text) + "'";
  }
}
