package dev.portolan.audit;

import dev.portolan.core.net.Ip;
import java.util.Comparator;

/** An endpoint as packets name it: an address and a port. */
public record EndpointKey(Ip address, int port) implements Comparable<EndpointKey> {
  private static final Comparator<EndpointKey> ORDER =
      Comparator.comparing(EndpointKey::address).thenComparingInt(EndpointKey::port);

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
