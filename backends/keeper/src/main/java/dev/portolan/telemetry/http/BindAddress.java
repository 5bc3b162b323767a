package dev.portolan.telemetry.http;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;

/**
 * Where a port is opened.
 *
 * @param ip one address of the host, or the unspecified one for all of them
 * @param oneFamily whether the unspecified IPv4 address leaves IPv6 out; else either unspecified
 *     address means both families
 * @param port 0 for any
 */
public record BindAddress(Ip ip, boolean oneFamily, int port) {
  private static final Ip ANY = Ip.of("0.0.0.0");

  /** Reads {@code 0.0.0.0:10256} or {@code [::]:10256}; no address means all of them. */
  public static BindAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(colon, 0));
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (colon >= 0 && port >= 0 && port <= 65535) {
        return new BindAddress(host.isEmpty() ? ANY : Ip.of(host), false, port);
      }
    } catch (IllegalArgumentException e) {
      // Reported below, with the whole text.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not an address with a port; write it like 0.0.0.0:10256 or [::]:10256");
  }

  /** Every address of both families. */
  public static BindAddress everywhere(int port) {
    return new BindAddress(ANY, false, port);
  }

  /** Every IPv4 address. */
  public static BindAddress everyIpv4(int port) {
    return new BindAddress(ANY, true, port);
  }

  /** This address. */
  public static BindAddress only(Ip ip, int port) {
    return new BindAddress(ip, true, port);
  }

  /** The same place with another port. */
  public BindAddress withPort(int other) {
    return new BindAddress(ip, oneFamily, other);
  }

  /**
   * Opens the port for a moment, to find out whether that is possible.
   *
   * @throws PortUnavailableException if it is not, with the system's reason
   */
  public void probe() {
    try {
      bind(1).close();
    } catch (IOException e) {
      throw new PortUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Opens the port. */
  ServerSocketChannel open(int backlog) {
    try {
      return bind(backlog);
    } catch (IOException e) {
      throw new PortUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  private ServerSocketChannel bind(int backlog) throws IOException {
    boolean ipv4 = ip.family() == IpFamily.IPV4 && (oneFamily || !ip.isUnspecified());
    ServerSocketChannel channel =
        ipv4 ? ServerSocketChannel.open(StandardProtocolFamily.INET) : ServerSocketChannel.open();
    try {
      return channel.bind(
          new InetSocketAddress(InetAddress.getByAddress(ip.toBytes()), port), backlog);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** {@code 0.0.0.0:10256}. */
  @Override
  public String toString() {
    return ip.withPort(port);
  }
}
