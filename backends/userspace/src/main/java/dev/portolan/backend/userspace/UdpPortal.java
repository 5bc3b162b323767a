package dev.portolan.backend.userspace;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;

/** A portal of UDP. All its packets pass the one thread of {@link UdpTraffic}. */
final class UdpPortal implements Portal {
  private final DatagramChannel channel;
  private final InetSocketAddress address;
  private final UdpTraffic traffic;
  private volatile PortalTarget target;

  /**
   * The clients that have sent something lately; only the thread of {@link UdpTraffic} looks at
   * them.
   */
  final Map<InetSocketAddress, UdpSession> sessions = new HashMap<>();

  private UdpPortal(DatagramChannel channel, PortalTarget target, UdpTraffic traffic)
      throws IOException {
    this.channel = channel;
    this.address = (InetSocketAddress) channel.getLocalAddress();
    this.target = target;
    this.traffic = traffic;
  }

  /** Takes packets at {@code address}. */
  static UdpPortal open(
      InetSocketAddress address, PortalTarget target, UdpTraffic traffic, Sockets sockets)
      throws IOException {
    DatagramChannel channel = sockets.udp(Sockets.ip(address.getAddress()).family());
    try {
      channel.bind(address).configureBlocking(false);
      UdpPortal portal = new UdpPortal(channel, target, traffic);
      traffic.add(portal);
      return portal;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** The socket that clients know. */
  DatagramChannel channel() {
    return channel;
  }

  /** What becomes of clients now. */
  PortalTarget target() {
    return target;
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void serve(PortalTarget now) {
    target = now;
  }

  @Override
  public void close() {
    traffic.remove(this);
  }
}
