package dev.portolan.conntrack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.ConnectedSocket;
import dev.portolan.core.backend.ConnectedSockets;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.netlink.sockets.InetSocket;
import dev.portolan.netlink.sockets.InetSockets;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Ends real sockets of a pod; what a backend would have noted of them is written down by hand. */
@NeedsKernel
final class SocketCleanerTest implements ConnectedSockets {
  private static final String DNS = "10.96.0.10";
  private static final String POD_A = "127.0.0.2:5353";
  private static final String POD_B = "127.0.0.3:5353";

  @AutoClose private final TestNamespace pod = new TestNamespace();
  @AutoClose private final InetSockets kernel = new InetSockets(pod.path());
  private final List<ConnectedSocket> notes = new ArrayList<>();
  private int asked;

  @Override
  public List<ConnectedSocket> all() {
    asked++;
    return List.copyOf(notes);
  }

  @Override
  public void forget(Collection<ConnectedSocket> closed) {
    notes.removeAll(closed);
  }

  private Optional<Cleaning.Sockets> clean(TcpCleaning tcp, NodeImage before, NodeImage after) {
    return cleaner(tcp).clean(NodeChange.between(before, after));
  }

  private SocketCleaner cleaner(TcpCleaning tcp) {
    return new SocketCleaner(this, tcp, () -> List.of(pod.namespace()));
  }

  private static NodeImage udp(long revision, String... endpoints) {
    return new Sketch().udp("dns", DNS, endpoints).revision(revision).image();
  }

  private static NodeImage tcp(long revision, String... endpoints) {
    return new Sketch()
        .service("dns", Protocol.TCP, DNS, 53, 0, List.of(), endpoints)
        .revision(revision)
        .image();
  }

  private DatagramChannel connected(String address) throws IOException {
    return pod.namespace().visit(() -> DatagramChannel.open()).connect(at(address));
  }

  private static InetSocketAddress at(String address) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(address), 5353);
  }

  /** Writes down that the sockets to an endpoint asked for the service. */
  private void note(int protocol, String endpoint) {
    Ip ip = Ip.of(endpoint);
    kernel.sockets(protocol, 1 << InetSocket.ESTABLISHED | 1 << InetSocket.SYN_SENT).stream()
        .filter(socket -> socket.remotePort() == 5353)
        .filter(socket -> StaleFlows.ip(socket.remote()).equals(ip))
        .forEach(
            socket -> notes.add(new ConnectedSocket(socket.cookie(), Ip.of(DNS), 53, ip, 5353)));
  }

  private static void assertEnded(DatagramChannel socket) {
    assertThatThrownBy(() -> socket.read(ByteBuffer.allocate(8))).hasMessageContaining("abort");
  }

  private static void assertOpen(DatagramChannel socket) throws IOException {
    assertThat(socket.configureBlocking(false)).isNotNull();
    assertThat(socket.read(ByteBuffer.allocate(8))).isZero();
  }

  @Test
  void aSocketToAnEndpointThatIsGoneEndsAndNoOther() throws IOException {
    try (DatagramChannel served = connected("127.0.0.2");
        DatagramChannel other = connected("127.0.0.3");
        DatagramChannel unconnected = pod.namespace().visit(() -> DatagramChannel.open())) {
      note(InetSocket.UDP, "127.0.0.2");
      note(InetSocket.UDP, "127.0.0.3");
      // It sent something through the service once, and is not bound to anybody.
      unconnected.bind(at("127.0.0.9"));
      long cookie =
          kernel.sockets(InetSocket.UDP, 1 << InetSocket.CLOSED).stream()
              .filter(socket -> socket.localPort() == 5353)
              .findFirst()
              .orElseThrow()
              .cookie();
      ConnectedSocket sent = new ConnectedSocket(cookie, Ip.of(DNS), 53, Ip.of("127.0.0.2"), 5353);
      ConnectedSocket closed =
          new ConnectedSocket(1L << 60, Ip.of(DNS), 53, Ip.of("127.0.0.2"), 5353);
      notes.addAll(List.of(sent, closed));
      try (DatagramChannel direct = connected("127.0.0.2")) {
        Cleaning.Sockets cleaning =
            clean(TcpCleaning.NEVER, udp(1, POD_A, POD_B), udp(2, POD_B)).orElseThrow();
        assertThat(cleaning.ended()).isEqualTo(1);
        assertThat(cleaning.obstacle()).isEmpty();
        assertEnded(served);
        assertOpen(other);
        assertOpen(direct);
      }
      assertThat(notes).hasSize(2).contains(sent).doesNotContain(closed);
      assertThat(clean(TcpCleaning.NEVER, udp(2, POD_B), udp(3)).orElseThrow().ended())
          .isEqualTo(1);
      assertEnded(other);
    }
  }

  @Test
  void socketsOfAServiceThatIsGoneEnd() throws IOException {
    try (DatagramChannel served = connected("127.0.0.2")) {
      note(InetSocket.UDP, "127.0.0.2");
      NodeImage nothing = new Sketch().revision(2).image();
      assertThat(clean(TcpCleaning.NEVER, udp(1, POD_A), nothing).orElseThrow().ended())
          .isEqualTo(1);
      assertEnded(served);
    }
  }

  @Test
  void nothingIsLookedForUnlessEndpointsAreGone() throws IOException {
    try (DatagramChannel served = connected("127.0.0.2")) {
      note(InetSocket.UDP, "127.0.0.2");
      assertThat(clean(TcpCleaning.NEVER, udp(1, POD_A), udp(2, POD_A, POD_B))).isEmpty();
      assertThat(clean(TcpCleaning.NEVER, tcp(1, POD_A), tcp(2))).isEmpty();
      assertThat(asked).isZero();
      // After a restart it is unknown what is gone; those that are served live on.
      assertThat(clean(TcpCleaning.NEVER, NodeImage.unsynced("node"), udp(2, POD_A))).isEmpty();
      assertThat(asked).isEqualTo(1);
      assertOpen(served);
      assertThat(
              clean(TcpCleaning.NEVER, NodeImage.unsynced("node"), udp(2, POD_B))
                  .orElseThrow()
                  .ended())
          .isEqualTo(1);
    }
  }

  @Test
  void connectionsOfTcpEndWhereAskedFor() throws IOException {
    try (ServerSocketChannel server =
            pod.namespace().visit(() -> ServerSocketChannel.open().bind(at("127.0.0.2")));
        SocketChannel client =
            pod.namespace().visit(() -> SocketChannel.open(server.getLocalAddress()));
        SocketChannel waiting = pod.namespace().visit(() -> SocketChannel.open())) {
      // Packets to the second endpoint vanish.
      pod.ip("link", "add", "hole", "type", "veth", "peer", "name", "end");
      pod.ip("address", "add", "192.0.2.1/24", "dev", "hole");
      pod.ip("link", "set", "hole", "up");
      pod.ip("link", "set", "end", "up");
      assertThat(waiting.configureBlocking(false)).isNotNull();
      assertThat(waiting.connect(at("192.0.2.2"))).isFalse();
      note(InetSocket.TCP, "192.0.2.2");
      note(InetSocket.TCP, "127.0.0.2");
      NodeImage both = tcp(1, POD_A, "192.0.2.2:5353");
      assertThat(clean(TcpCleaning.NEVER, both, tcp(2))).isEmpty();
      assertThat(clean(TcpCleaning.UNREPLIED, both, tcp(2)).orElseThrow().ended())
          .as("the one that waits for an answer")
          .isEqualTo(1);
      assertThatThrownBy(waiting::finishConnect).hasMessageContaining("abort");
      assertThat(notes).hasSize(1);
      assertThat(clean(TcpCleaning.ALL, both, tcp(2)).orElseThrow().ended()).isEqualTo(1);
      assertThatThrownBy(() -> client.read(ByteBuffer.allocate(8))).hasMessageContaining("abort");
    }
  }

  @Test
  void whatIsNotAllowedIsSaidOnce() throws IOException {
    try (DatagramChannel served = connected("127.0.0.2")) {
      note(InetSocket.UDP, "127.0.0.2");
      SocketCleaner refused =
          new SocketCleaner(
              this, TcpCleaning.NEVER, () -> List.of(new NetworkNamespace(Path.of("/dev/null"))));
      NodeChange change = NodeChange.between(udp(1, POD_A), udp(2));
      assertThat(refused.clean(change).orElseThrow().obstacle().orElseThrow())
          .startsWith(
              "sockets to endpoints that are gone stay open:"
                  + " cannot enter network namespace /dev/null: ");
      assertThat(refused.clean(change).orElseThrow().obstacle()).isEmpty();
      assertThat(notes).as("it is looked for again").hasSize(1);
      SocketCleaner alone = new SocketCleaner(this, TcpCleaning.NEVER, List::of);
      assertThat(alone.clean(change).orElseThrow().obstacle().orElseThrow())
          .contains("only one network namespace is visible");
      assertThat(alone.clean(change).orElseThrow().obstacle()).isEmpty();
      assertOpen(served);
    }
  }
}
