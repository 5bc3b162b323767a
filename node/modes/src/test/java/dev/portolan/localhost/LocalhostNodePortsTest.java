package dev.portolan.localhost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes through nodePorts on loopback; endpoints are servers on loopback too. */
@Timeout(180)
final class LocalhostNodePortsTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final NamespacedName WEB = new NamespacedName("shop", "web");

  private final List<ServerSocket> servers = new ArrayList<>();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final LocalhostNodePorts ports =
      new LocalhostNodePorts(
          LocalhostFamilies.of(List.of("localhost")), new Events(), Duration.ofMillis(20));
  private NodeImage image = NodeImage.unsynced("n1");

  private final class Events implements LocalhostNodePorts.Listener {
    @Override
    public void notOpened(IpFamily family, int port, String cause, boolean first) {
      if (first) {
        events.add("not opened " + port);
      }
    }

    @Override
    public void listening(IpFamily family, int count) {
      if (family == IpFamily.IPV4) {
        events.add("listening " + count);
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    ports.close();
    for (ServerSocket server : servers) {
      server.close();
    }
  }

  /** An endpoint that answers each connection, when its client is done, with what it was sent. */
  private Endpoint endpoint(String name) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, LOOPBACK);
    servers.add(server);
    Thread.ofVirtual()
        .start(() -> {
          while (!server.isClosed()) {
            try {
              Socket client = server.accept();
              events.add(name + " is reached");
              Thread.ofVirtual()
                  .start(() -> {
                    try (client) {
                      byte[] sent = client.getInputStream().readAllBytes();
                      client.getOutputStream().write((name + ":").getBytes(StandardCharsets.UTF_8));
                      client.getOutputStream().write(sent);
                    } catch (IOException e) {
                      // The client has gone.
                    }
                  });
            } catch (IOException e) {
              return;
            }
          }
        });
    return new Endpoint(Ip.of("127.0.0.1"), server.getLocalPort(), "n1");
  }

  private static ServicePort port(
      Protocol protocol, int nodePort, int affinity, Endpoint... endpoints) {
    Verdict verdict = endpoints.length == 0 ? Verdict.REJECT : Verdict.FORWARD;
    return new ServicePort(
        new ServicePortName(WEB, protocol.lower(), protocol),
        ServiceAddress.list(Ip.of("10.96.0.1"), 80, List.of(), List.of(), nodePort),
        List.of(),
        affinity,
        Routes.of(Pool.CLUSTER, verdict, Pool.CLUSTER, verdict, verdict),
        Arrays.asList(endpoints),
        List.of(),
        Arrays.asList(endpoints));
  }

  private void apply(ServicePort... wanted) {
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    if (wanted.length > 0) {
      services =
          services.with(
              WEB, new NodeService(WEB, ServiceType.NODE_PORT, 0, 0, Arrays.asList(wanted)));
    }
    NodeImage next = NodeImage.of(image.revision() + 1, NodeFacts.unknown("n1"), services);
    ports.update(image.isSynced() ? NodeChange.between(image, next) : NodeChange.to(next));
    image = next;
  }

  private static String ask(int port, String text) throws IOException {
    try (Socket socket = new Socket(LOOPBACK, port)) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static boolean refuses(int port) throws IOException {
    try (Socket _ = new Socket(LOOPBACK, port)) {
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (SocketException e) {
      return false; // A reset comes from a port that was still open when the connection was made.
    }
  }

  private void awaitEvent(String wanted) {
    String _ = Await.until(wanted, () -> Await.next(events), wanted::equals);
  }

  @Test
  void connectionsReachAllEndpointsAndHalfClosesPass() throws Exception {
    int nodePort = FreePort.next();
    apply(port(Protocol.TCP, nodePort, 0, endpoint("a"), endpoint("b")));
    Set<String> answers = new HashSet<>();
    while (answers.size() < 2) {
      answers.add(ask(nodePort, "hello"));
    }
    assertThat(answers).containsExactlyInAnyOrder("a:hello", "b:hello");
  }

  @Test
  void onlyTcpWithEndpointsIsServed() throws Exception {
    int nodePort = FreePort.next();
    apply(port(Protocol.UDP, nodePort, 0, endpoint("a")));
    assertThat(refuses(nodePort)).isTrue();
    apply(port(Protocol.TCP, nodePort, 0));
    assertThat(refuses(nodePort)).isTrue();
    apply(port(Protocol.TCP, nodePort, 0, endpoint("a")));
    assertThat(ask(nodePort, "x")).isEqualTo("a:x");
    assertThat(events).contains("listening 0", "listening 1");
  }

  @Test
  void aChangeOfEndpointsKeepsConnectionsAndTheEndOfAServiceEndsThem() throws Exception {
    int nodePort = FreePort.next();
    apply(port(Protocol.TCP, nodePort, 0, endpoint("a")));
    try (Socket held = new Socket(LOOPBACK, nodePort)) {
      held.getOutputStream().write('1');
      awaitEvent("a is reached");
      apply(port(Protocol.TCP, nodePort, 0, endpoint("b")));
      assertThat(ask(nodePort, "x")).isEqualTo("b:x");
      held.getOutputStream().write('2');
      held.shutdownOutput();
      assertThat(new String(held.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("a:12");
    }
    try (Socket held = new Socket(LOOPBACK, nodePort)) {
      apply();
      // The listening thread closes its port a moment after it was asked to.
      Await.until("a refusal", () -> refuses(nodePort));
      held.setSoTimeout(60_000);
      try {
        // What b answers to the end of its side may arrive before the end.
        held.getInputStream().readAllBytes();
      } catch (SocketException e) {
        // A reset is an end, too; a timeout is not, and fails.
      }
    }
  }

  @Test
  void affinityKeepsAllClientsAtOneEndpointWhileItIsThere() throws Exception {
    int nodePort = FreePort.next();
    Endpoint a = endpoint("a");
    Endpoint b = endpoint("b");
    apply(port(Protocol.TCP, nodePort, 3600, a, b));
    String first = ask(nodePort, "");
    for (int i = 0; i < 20; i++) {
      assertThat(ask(nodePort, "")).isEqualTo(first);
    }
    apply(port(Protocol.TCP, nodePort, 3600, first.equals("a:") ? b : a));
    assertThat(ask(nodePort, "")).isNotEqualTo(first);
  }

  @Test
  void aPortThatIsTakenIsRetriedUntilItIsFree() throws Exception {
    ServerSocket other = new ServerSocket(FreePort.next(), 1, LOOPBACK);
    servers.add(other);
    int nodePort = other.getLocalPort();
    apply(port(Protocol.TCP, nodePort, 0, endpoint("a")));
    awaitEvent("not opened " + nodePort);
    other.close();
    awaitEvent("listening 1");
    assertThat(ask(nodePort, "x")).isEqualTo("a:x");
  }

  @Test
  void onlyAnExplicitLoopbackCounts() {
    assertThat(LocalhostFamilies.of(List.of("localhost")).served())
        .containsExactlyInAnyOrder(IpFamily.values());
    assertThat(LocalhostFamilies.of(List.of("127.0.0.1/32", "all")).served())
        .containsExactly(IpFamily.IPV4);
    assertThat(LocalhostFamilies.of(List.of("::1/128")).served()).containsExactly(IpFamily.IPV6);
    assertThat(LocalhostFamilies.of(List.of("primary", "all", "0.0.0.0/0", "::/0")).served())
        .isEmpty();
    assertThat(LocalhostFamilies.of(List.of("127.0.0.0/8")).rejected())
        .isEqualTo(
            Map.of(
                IpFamily.IPV4,
                Set.of(Protocol.UDP, Protocol.SCTP),
                IpFamily.IPV6,
                Set.of(Protocol.values())));
  }
}
