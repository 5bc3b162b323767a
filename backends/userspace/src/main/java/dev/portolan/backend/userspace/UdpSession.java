package dev.portolan.backend.userspace;

import dev.portolan.backend.userspace.AccessEntry.Ending;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.ServicePort;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client of UDP and the endpoint that it was sent to. Only one thread uses it. */
final class UdpSession {
  final UdpPortal portal;
  final InetSocketAddress client;
  final Endpoint endpoint;

  /** Connected to the endpoint. */
  final DatagramChannel channel;

  private final long begin;
  private long lastUsed;
  private long fromClient;
  private long toClient;
  private @Nullable ServicePort seen;
  private boolean served;

  UdpSession(
      UdpPortal portal,
      InetSocketAddress client,
      Endpoint endpoint,
      DatagramChannel channel,
      long now) {
    this.portal = portal;
    this.client = client;
    this.endpoint = endpoint;
    this.channel = channel;
    this.begin = now;
    this.lastUsed = now;
  }

  void sent(int bytes, long now) {
    fromClient += bytes;
    portal.target().passed().in(bytes);
    lastUsed = now;
  }

  void received(int bytes, long now) {
    toClient += bytes;
    portal.target().passed().out(bytes);
    lastUsed = now;
  }

  boolean isIdle(Duration time, long now) {
    return now - lastUsed >= time.toNanos();
  }

  /** Whether the endpoint still serves, be it only those clients that it has. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the very one; it is asked for each packet.
  boolean isServed() {
    ServicePort now = portal.target().port();
    if (now != seen) {
      seen = now;
      served = now.serving().contains(endpoint);
    }
    return served;
  }

  /** The line for the access log at its end. */
  AccessEntry entry(Ending ending, long now) {
    return new AccessEntry(
        portal.target().port().name(),
        client,
        Optional.of(endpoint),
        fromClient,
        toClient,
        Duration.ofNanos(now - begin),
        ending);
  }
}
