package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Options of sockets that others opened. That packets which vanish end them is tried in cli. */
class DeadPeersTest {
  private static final Duration LIMIT = Duration.ofSeconds(25);

  private final ServerSocketChannel server;
  private final int port;
  private final SocketChannel one;
  private final SocketChannel other;

  DeadPeersTest() throws IOException {
    server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    one = SocketChannel.open(server.getLocalAddress());
    other = SocketChannel.open(server.getLocalAddress());
  }

  @AfterEach
  void close() throws IOException {
    one.close();
    other.close();
    server.close();
  }

  private static boolean ends(SocketChannel socket) throws IOException {
    return socket.getOption(StandardSocketOptions.SO_KEEPALIVE)
        && socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE) == 10
        && socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL) == 5
        && socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT) == 3;
  }

  @Test
  void everyConnectionToAPort() throws IOException {
    assertThat(DeadPeers.endAfter(LIMIT, port)).isTrue();
    assertThat(ends(one)).isTrue();
    assertThat(ends(other)).isTrue();
  }

  @Test
  void whoSetsKeepaliveKeepsIt() throws IOException {
    one.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    assertThat(DeadPeers.endAfter(LIMIT, port)).isTrue();
    assertThat(ends(one)).isFalse();
    assertThat(ends(other)).isTrue();
  }
}
