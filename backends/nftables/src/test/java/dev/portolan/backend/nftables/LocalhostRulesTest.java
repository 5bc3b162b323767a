package dev.portolan.backend.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.nftables.table.TableText;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets to nodePorts on loopback, in a kernel that rejects some of them there. */
@NeedsKernel(tools = {"ip", "nft"})
final class LocalhostRulesTest {
  private static final int TCP_PORT = 30080;
  private static final int UDP_PORT = 30053;

  @TempDir private Path folder;
  @AutoClose private TestNamespace namespace;
  private NodeImage image;

  @BeforeEach
  void open() throws Exception {
    namespace = new TestNamespace();
    Files.writeString(
        folder.resolve("cluster.yaml"),
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: web, namespace: shop}
        spec:
          type: NodePort
          clusterIP: 10.96.0.10
          ports:
          - {name: http, port: 80, protocol: TCP, nodePort: 30080}
          - {name: dns, port: 53, protocol: UDP, nodePort: 30053}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
        addressType: IPv4
        endpoints: [{addresses: [10.244.1.5], nodeName: n1}]
        ports: [{name: http, port: 8080, protocol: TCP}, {name: dns, port: 53, protocol: UDP}]
        """);
    Brain brain = new Brain(warning -> {});
    brain.apply(ClusterDelta.between(ClusterImage.EMPTY, Manifests.read(folder).image()));
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    image = view.image();
  }

  private NftablesOptions rejecting(Protocol... protocols) {
    return new NftablesOptions("portolan", 14, namespace.path())
        .rejectingOnLocalhost(Map.of(IpFamily.IPV4, Set.of(protocols)));
  }

  private static void sync(NftablesOptions options, NodeImage image) {
    try (NftablesBackend backend = new NftablesBackend(options)) {
      backend.sync(NodeChange.to(image));
      backend.tidy();
      assertThat(backend.preview(image)).isEmpty();
    }
  }

  private static void connect(InetAddress address, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 10_000);
    }
  }

  private void udp() throws IOException {
    boolean _ =
        namespace
            .namespace()
            .visit(() -> {
              try (DatagramSocket socket = new DatagramSocket()) {
                socket.setSoTimeout(30_000);
                socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), UDP_PORT));
                socket.send(new DatagramPacket(new byte[1], 1));
                socket.receive(new DatagramPacket(new byte[1], 1));
                return true;
              }
            });
  }

  @Test
  void whatIsNotServedIsRejectedAndCounted() throws Exception {
    NftablesOptions options = rejecting(Protocol.UDP, Protocol.SCTP);
    sync(options, image);
    assertThat(NftablesBackend.rejectedOnLocalhost(options, IpFamily.IPV4, Protocol.UDP))
        .isEqualTo(OptionalLong.of(0));
    assertThatThrownBy(this::udp).isInstanceOf(PortUnreachableException.class);
    assertThat(NftablesBackend.rejectedOnLocalhost(options, IpFamily.IPV4, Protocol.UDP))
        .isEqualTo(OptionalLong.of(1));
    assertThat(NftablesBackend.rejectedOnLocalhost(options, IpFamily.IPV4, Protocol.TCP))
        .isEqualTo(OptionalLong.empty());

    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    try (ServerSocket server =
        namespace.namespace().visit(() -> new ServerSocket(TCP_PORT, 1, loopback))) {
      boolean _ =
          namespace
              .namespace()
              .visit(() -> {
                connect(loopback, TCP_PORT);
                return true;
              });
      server.accept().close();
    }
  }

  @Test
  void withoutALoopbackAddressTcpIsRejectedToo() {
    NftablesOptions options = rejecting(Protocol.values());
    sync(options, image);
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    assertThatThrownBy(
            () -> {
              try (ServerSocket _ =
                  namespace.namespace().visit(() -> new ServerSocket(TCP_PORT, 1, loopback))) {
                boolean _ =
                    namespace
                        .namespace()
                        .visit(() -> {
                          connect(loopback, TCP_PORT);
                          return true;
                        });
              }
            })
        .isInstanceOf(ConnectException.class);
    assertThat(
            NftablesBackend.rejectedOnLocalhost(options, IpFamily.IPV4, Protocol.TCP).orElseThrow())
        .isPositive();
  }

  @Test
  void whenItIsTurnedOffNothingStays() {
    sync(rejecting(Protocol.values()), image);
    assertThat(namespace.run("nft", "list", "ruleset"))
        .contains("localhost-nodeports", "localhost-reject-udp", "localhost-reject-tcp");
    sync(rejecting(Protocol.UDP), image);
    assertThat(namespace.run("nft", "list", "map", "ip", "portolan", "localhost-nodeports"))
        .contains("udp . 30053")
        .doesNotContain("tcp . 30080");
    NftablesOptions off = new NftablesOptions("portolan", 14, namespace.path());
    try (NftablesBackend backend = new NftablesBackend(off)) {
      assertThat(backend.preview(image))
          .contains("- chain ip portolan localhost-reject-udp")
          .allMatch(line -> line.startsWith("- ") && line.contains("localhost"));
      backend.sync(NodeChange.to(image));
      backend.tidy();
      assertThat(backend.preview(image)).isEmpty();
      assertThat(namespace.run("nft", "list", "ruleset")).doesNotContain("localhost");
    }
  }

  @Test
  void whatIsRenderedCanBeLoaded() {
    StringBuilder text = new StringBuilder();
    TableText.print(
        NftablesBackend.render(image, IpFamily.IPV4, rejecting(Protocol.values())),
        "portolan",
        text);
    namespace.nft(text.toString());
    assertThat(namespace.run("nft", "list", "ruleset")).contains("localhost-reject-sctp");
    assertThat(text.toString()).contains("counter reject");
  }
}
