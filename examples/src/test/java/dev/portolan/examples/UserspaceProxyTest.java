package dev.portolan.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The proxy of examples/userspace-proxy, with connections through it over the loopback. */
@Timeout(120)
final class UserspaceProxyTest {
  private static final Path SOURCE = Path.of("examples/userspace-proxy/UserspaceProxy.java");
  private static final int PATIENCE_MILLIS = 20_000;

  private final List<ServerSocket> servers = new ArrayList<>();
  private final Output output = new Output();
  private Object proxy;
  private Method apply;
  private long revision;

  @BeforeEach
  void start(@TempDir Path target) throws Exception {
    Class<?> program = Compiled.of(SOURCE, target);
    proxy = program.getConstructor().newInstance();
    apply = program.getMethod("apply", NodeImage.class);
  }

  @AfterEach
  void stop() throws Exception {
    apply(List.of());
    for (ServerSocket server : servers) {
      server.close();
    }
    output.close();
  }

  @Test
  void connectionsAreSpreadOverTheEndpoints() throws Exception {
    apply(List.of(service("web", Verdict.FORWARD, server("a"), server("b"))));
    int port = port("web");

    Set<String> answers = new TreeSet<>();
    for (int i = 0; i < 200 && answers.size() < 2; i++) {
      answers.add(ask(port, "hello"));
    }
    assertThat(answers).containsExactly("a: hello", "b: hello");
  }

  @Test
  void oneSideMayEndAndTheOtherGoOn() throws Exception {
    apply(List.of(service("web", Verdict.FORWARD, server("a"))));
    String large = "x".repeat(1_000_000);

    assertThat(ask(port("web"), large)).isEqualTo("a: " + large);
  }

  @Test
  void aChangeMovesNewConnectionsOnly() throws Exception {
    apply(List.of(service("web", Verdict.FORWARD, server("a"))));
    int port = port("web");
    try (Socket old = connect(port)) {
      old.getOutputStream().write('o');
      assertThat(old.getInputStream().read()).isEqualTo('a');
      apply(List.of(service("web", Verdict.FORWARD, server("b"))));

      assertThat(ask(port, "new")).isEqualTo("b: new");
      old.getOutputStream().write("ld".getBytes(UTF_8));
      old.shutdownOutput();
      assertThat(read(old)).isEqualTo(": old");
    }
  }

  @Test
  void withoutEndpointsConnectionsAreCut() throws Exception {
    apply(List.of(service("web", Verdict.REJECT)));
    try (Socket socket = connect(port("web"))) {
      assertThat(wasCut(socket)).isTrue();
    }
  }

  @Test
  void aServiceThatIsGoneIsNotServed() throws Exception {
    apply(List.of(service("web", Verdict.FORWARD, server("a"))));
    int port = port("web");
    apply(List.of());
    // A connection may slip in while the door closes.
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (!isRefused(port)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  @Test
  void itIsShort() throws IOException {
    assertThat(Files.readAllLines(SOURCE)).hasSizeLessThan(100);
  }

  private void apply(List<NodeService> services) throws ReflectiveOperationException {
    PersistentMap<NamespacedName, NodeService> all = PersistentMap.empty();
    for (NodeService service : services) {
      all = all.with(service.name(), service);
    }
    apply.invoke(proxy, NodeImage.of(++revision, NodeFacts.unknown("n"), all));
  }

  private static NodeService service(String name, Verdict verdict, Endpoint... endpoints) {
    NamespacedName full = new NamespacedName("shop", name);
    ServicePort port =
        new ServicePort(
            new ServicePortName(full, "http", Protocol.TCP),
            ServiceAddress.list(Ip.of("10.96.0.7"), 80, List.of(), List.of(), 0),
            List.of(),
            0,
            Routes.of(Pool.CLUSTER, verdict, Pool.CLUSTER, Verdict.NONE, Verdict.NONE),
            List.of(endpoints),
            List.of(),
            List.of(endpoints));
    return new NodeService(full, ServiceType.CLUSTER_IP, 0, 0, List.of(port));
  }

  /** Says its name at once, and, when the client has ended, all that it was sent. */
  private Endpoint server(String name) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    servers.add(server);
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              Socket client = server.accept();
              Thread.ofVirtual().start(() -> answer(name, client));
            }
          } catch (IOException e) {
            // The test has ended.
          }
        });
    return new Endpoint(Ip.of("127.0.0.1"), server.getLocalPort(), "");
  }

  private static void answer(String name, Socket client) {
    try (client) {
      client.getOutputStream().write((name + ": ").getBytes(UTF_8));
      String said = read(client);
      client.getOutputStream().write(said.getBytes(UTF_8));
    } catch (IOException e) {
      // The test sees that nothing comes.
    }
  }

  private int port(String name) {
    String line = output.await(text -> text.startsWith("shop/" + name + ":http "));
    return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static String ask(int port, String question) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(question.getBytes(UTF_8));
      socket.shutdownOutput();
      return read(socket);
    }
  }

  private static String read(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), UTF_8);
  }

  private static boolean isRefused(int port) {
    try (Socket socket = connect(port)) {
      return wasCut(socket);
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean wasCut(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }
}
