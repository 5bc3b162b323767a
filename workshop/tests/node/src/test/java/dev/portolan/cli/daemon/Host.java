package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Doorway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A network namespace in the part of a node. The real program runs in it, and finds the API server
 * on its loopback.
 */
final class Host implements AutoCloseable {
  private final ControlPlane plane;
  private final String node;
  private final TestNamespace namespace = new TestNamespace();
  private Doorway door;

  /**
   * A host that the cluster knows, or will know, as {@code node}, with addresses from {@code
   * number}.
   */
  Host(ControlPlane plane, String node, int number) throws IOException {
    this.plane = plane;
    this.node = node;
    for (String address : RandomServices.addresses(number)) {
      namespace.ip("address", "add", address, "dev", "lo", "nodad");
    }
    this.door = new Doorway(namespace.namespace(), plane.port());
  }

  /** What a server answered. */
  record Answer(int status, String head, String body) {}

  TestNamespace namespace() {
    return namespace;
  }

  /** The API server cannot be reached any more; what was connected to it breaks. */
  void shutDoor() {
    door.close();
  }

  /** The API server can be reached again. */
  void openDoor() throws IOException {
    door = new Doorway(namespace.namespace(), plane.port());
  }

  /** From now on packets of the connections that are open to the API server vanish. */
  void losePackets() {
    namespace.losePackets(plane.port());
  }

  /** The flags that each daemon gets which has no configuration file. */
  List<String> flags(String... more) {
    return Stream.concat(
            Stream.of(
                "--kubeconfig=" + plane.kubeconfig(),
                "--proxy-mode=nftables",
                "--hostname-override=" + node,
                "--cluster-cidr=10.128.0.0/9,fd20::/16",
                "--conntrack-max-per-core=0",
                "--conntrack-tcp-timeout-established=0s",
                "--conntrack-tcp-timeout-close-wait=0s",
                "--oom-score-adj=0",
                "-v=2"),
            Stream.of(more))
        .toList();
  }

  /** The words that bring a program in here. */
  List<String> inside() {
    return List.of("ip", "netns", "exec", name());
  }

  private String name() {
    return namespace.namespace().path().getFileName().toString();
  }

  /** Starts the daemon in here; flags given here win over those that every daemon gets. */
  Daemon start(String... more) throws IOException {
    return Daemon.start(inside(), flags(more));
  }

  /** Starts the daemon in here with nothing but these flags. */
  Daemon startWith(String... flags) throws IOException {
    return Daemon.start(inside(), List.of(flags));
  }

  /** The rules that are in place. */
  String ruleset() {
    return namespace.run("nft", "list", "ruleset");
  }

  /** Waits until the rules are what a fresh computation from the API server gives. */
  void awaitFresh(Daemon daemon, FreshRules fresh) throws Exception {
    List<String> wanted = fresh.compute(node);
    assertThat(wanted).isNotEmpty();
    Await.until(
        () -> difference(FreshRules.lines(ruleset()), wanted) + "\n" + daemon.log(),
        () -> !daemon.isAlive() || FreshRules.lines(ruleset()).equals(wanted));
    assertThat(daemon.isAlive()).as(daemon::log).isTrue();
  }

  private static String difference(List<String> found, List<String> wanted) {
    List<String> tooMany = new ArrayList<>(found);
    wanted.forEach(tooMany::remove);
    List<String> missing = new ArrayList<>(wanted);
    found.forEach(missing::remove);
    return "too many: " + String.join("\n", tooMany) + "\nmissing: " + String.join("\n", missing);
  }

  /** Takes a port in here. */
  ServerSocket occupy(String address, int port) throws IOException {
    return namespace
        .namespace()
        .visit(() -> new ServerSocket(port, 1, InetAddress.ofLiteral(address)));
  }

  /** Asks a server in here. */
  Answer get(String address, int port, String path) throws IOException {
    return get(namespace, address, port, path);
  }

  /** Asks a server in {@code namespace}. */
  static Answer get(TestNamespace namespace, String address, int port, String path)
      throws IOException {
    try (Socket socket =
        namespace.namespace().visit(() -> new Socket(InetAddress.ofLiteral(address), port))) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = text.indexOf("\r\n\r\n");
      assertThat(end).as(text).isPositive();
      return new Answer(
          Integer.parseInt(text.substring(9, 12)), text.substring(0, end), text.substring(end + 4));
    }
  }

  Answer healthz() throws IOException {
    return get("127.0.0.1", 10256, "/healthz");
  }

  Answer management(String path) throws IOException {
    return get("127.0.0.1", 10249, path);
  }

  @Override
  public void close() {
    door.close();
    namespace.close();
  }
}
