package dev.portolan.audit;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Endpoint;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkResult.Way;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An endpoint as packets name it: an address and a port. */
public record EndpointKey(Ip address, int port) implements Comparable<EndpointKey> {
  private static final Comparator<EndpointKey> ORDER =
      Comparator.comparing(EndpointKey::address).thenComparingInt(EndpointKey::port);

  /** An endpoint that was decided. */
  public static EndpointKey of(Endpoint endpoint) {
    return new EndpointKey(endpoint.address(), endpoint.port());
  }

  /** Where a way leads. */
  public static EndpointKey of(Way way) {
    return new EndpointKey(way.address(), way.port());
  }

  /**
   * The ways that lead to each endpoint; more than one only if rules masquerade some packets at
   * random.
   */
  public static Map<EndpointKey, List<Way>> ways(WalkResult found) {
    return found.ways().stream().collect(Collectors.groupingBy(EndpointKey::of));
  }

  @Override
  public int compareTo(EndpointKey other) {
    return ORDER.compare(this, other);
  }

  /** {@code 10.244.1.5:8080}. */
  @Override
  public String toString() {
    return address.withPort(port);
  }
}
