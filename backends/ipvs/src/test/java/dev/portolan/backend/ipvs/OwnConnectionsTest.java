package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Reply;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.NeedsVm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is special about addresses that the node has itself. Its own connections to them have the
 * same address as their source, unless a program asks for another; and what listens on all
 * addresses of the node listens on these, too.
 */
@NeedsVm
class OwnConnectionsTest {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final int SHORT_MILLIS = 1_500;

  private static Lab lab;
  private static NodeUnderTest node;

  @BeforeAll
  static void open() {
    lab = Lab.open();
    node =
        new NodeUnderTest(
            lab.node(),
            () -> new IpvsBackend(IpvsOptions.DEFAULT),
            PacketTable.all().getFirst().settings());
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
  }

  @AfterAll
  static void close() {
    node.close();
    lab.close();
  }

  /** Asks as most programs do, with the source that the kernel chooses. */
  private static String ask(String address, int port, int millis) throws IOException {
    return lab.node()
        .<String, IOException>call(() -> {
          try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), millis);
            socket.setSoTimeout(millis);
            assertThat(socket.getLocalAddress().getHostAddress())
                .isEqualTo(new InetSocketAddress(address, port).getAddress().getHostAddress());
            socket.getOutputStream().write("?\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return String.valueOf(reader.readLine());
          } catch (SocketTimeoutException e) {
            return "dropped";
          } catch (ConnectException e) {
            return "rejected";
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "10.96.0.22", "fd10:96::22", // a cluster IP with endpoints on another node
    "192.0.2.33", "2001:db8:1::33", // an external IP
    "203.0.113.34", "2001:db8:2::34", // a load balancer whose source ranges have the node
  })
  void theNodeIsMasqueraded(String address) throws IOException {
    for (int i = 0; i < 4; i++) {
      assertThat(ask(address, 80, PATIENCE_MILLIS))
          .startsWith("pod-")
          .doesNotContain(" " + Ip.of(address) + " ");
    }
  }

  @ParameterizedTest
  @CsvSource({"203.0.113.33", "2001:db8:2::33", "203.0.113.36", "2001:db8:2::36"})
  void sourceRangesThatLackTheNodeHoldForItsOwnConnections(String address) throws IOException {
    assertThat(ask(address, 80, SHORT_MILLIS)).isEqualTo("dropped");
  }

  @Test
  void ofAnAddressOfAServiceOnlyItsPortsAndTheHealthCheckAreOpen() {
    Ip address = Ip.of("203.0.113.31");
    lab.listen(Actor.NODE, Protocol.TCP, address, 31931);
    lab.listen(Actor.NODE, Protocol.TCP, address, 31930);
    assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, address, 31931))
        .isInstanceOf(Reply.Answered.class);
    assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, address, 31930))
        .isInstanceOf(Reply.Rejected.class);
  }
}
