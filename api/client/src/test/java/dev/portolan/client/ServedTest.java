package dev.portolan.client;

import static dev.portolan.client.World.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.NodeStatus;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.server.access.Access;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.Certificates;
import dev.portolan.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both sides against each other. */
final class ServedTest {
  private static final NamespacedName CART = new NamespacedName("shop", "cart");

  @TempDir Path folder;
  private final World world = new World();
  private final Told told = new Told();

  /** How client and server meet. */
  enum Way {
    UNIX,
    PLAIN,
    TLS,
    IN_PROCESS
  }

  @ParameterizedTest
  @EnumSource
  void aClientHoldsWhatTheBrainDecides(Way way) throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    try (BrainServer server = serve(way, "server");
        Connection connection = connect(way, server, "client");
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      awaitSame(node);
      NodeSnapshot before = node.newest();
      Instant happened = Instant.parse("2026-03-01T10:00:00Z");
      world.apply(
          ClusterDelta.builder()
              .set(World.slice("cart", happened, "10.244.0.2", "10.244.0.9"))
              .build());
      awaitSame(node);
      assertThat(NodeChange.between(before, node.newest()).triggers())
          .singleElement()
          .matches(trigger -> trigger.time().equals(happened));
      world.remove("cart");
      awaitSame(node);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theBrainKnowsHowFarItsClientsAre(Way way) throws Exception {
    try (BrainServer server = serve(way, "server");
        Connection connection = connect(way, server, "client");
        RemoteNode node = RemoteNode.open(connection, subscription().clientName("tester"))) {
      awaitSame(node);
      node.applied(node.image());
      Await.until("it is applied", () -> status(connection).getApplied() == 1);
      node.failed("the kernel said no");
      Await.until("it failed", () -> status(connection).getError().equals("the kernel said no"));
      assertThat(status(connection).getClient()).isEqualTo("tester");
      assertThat(status(connection).getNode()).isEqualTo(NODE);
    }
  }

  @Test
  void whoWaitsHearsFromFiveHundredNodes() throws Exception {
    List<RemoteNode> nodes = new ArrayList<>();
    try (BrainServer server = serve(Way.UNIX, "server");
        Connection connection = connect(Way.UNIX, server, "client");
        Connection observer = connect(Way.UNIX, server, "client")) {
      for (int i = 0; i < 500; i++) {
        RemoteNode node = RemoteNode.open(connection, Subscription.of("n" + i));
        node.onChange(() -> node.applied(node.image()));
        nodes.add(node);
      }
      for (int i = 1; i < 4; i++) {
        world.service("cart", "10.96.0.1", "10.244.0." + i);
        AtomicReference<WaitReply> last = new AtomicReference<>(WaitReply.getDefaultInstance());
        observer.waitFor(
            WaitRequest.newBuilder().addWithout("10.244.0." + (i - 1)).build(),
            reply -> {
              last.set(reply);
              return reply.getDone() < nodes.size();
            });
        assertThat(last.get().getDone()).isEqualTo(nodes.size());
      }
    } finally {
      nodes.forEach(RemoteNode::close);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatAppliesOnceIsHeardBeforeItGoes(Way way) throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    try (BrainServer server = serve(way, "server");
        Connection observer = connect(way, server, "client")) {
      try (Connection connection = connect(way, server, "client");
          RemoteNode node = RemoteNode.openOnce(connection, subscription(), Position.NONE)) {
        awaitSame(node);
        node.applied(node.image());
        node.finish();
      }
      assertThat(status(observer).getApplied()).isOne();
      assertThat(told.events).containsExactly("connected");
    }
  }

  @Test
  void labelsAndAnnotationsComeWithServicesWhereAskedFor() throws Exception {
    try (BrainServer server =
            BrainServer.start(
                world.brain,
                Options.builder()
                    .only(world.view)
                    .metadata(true)
                    .listen(ListenAddress.plain(new Address.InProcess("labels")))
                    .build());
        Connection connection = Connection.open(server.addresses().getFirst(), Optional.empty());
        RemoteNode usual = RemoteNode.open(connection, subscription());
        RemoteNode node = RemoteNode.open(connection, subscription().metadata(true))) {
      label("a", "10.96.0.1");
      Await.until("they are there", () -> labels(node).equals(Map.of("version", "a")));
      assertThat(node.image().service(CART).metadata().annotations()).containsEntry("note", "n");
      awaitSame(usual);
      long revision = usual.image().revision();
      // Each counts the states that it was sent; the first ones may have come as one.
      long own = node.image().revision();

      label("b", "10.96.0.1");
      Await.until("they changed", () -> labels(node).equals(Map.of("version", "b")));
      assertThat(node.image().revision()).as("a state of its own").isEqualTo(own + 1);
      assertThat(usual.image().revision()).isEqualTo(revision);

      label("b", "10.96.0.9");
      Await.until(
          "the service changed", () -> node.image().service(CART).toString().contains("10.96.0.9"));
      assertThat(labels(node)).isEqualTo(Map.of("version", "b"));
      world.remove("cart");
      Await.until("it is gone", () -> node.image().service(CART) == null);
    }
  }

  private void label(String version, String clusterIp) {
    world.apply(
        ClusterDelta.builder()
            .set(
                Service.named("shop", "cart")
                    .clusterIps(List.of(clusterIp))
                    .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
                    .metadata(ServiceMetadata.of(Map.of("version", version), Map.of("note", "n")))
                    .build())
            .build());
  }

  private static Map<String, String> labels(RemoteNode node) {
    NodeService service = node.image().service(CART);
    return service == null ? Map.of() : service.metadata().labels();
  }

  private static NodeStatus status(Connection connection) throws ConnectionException {
    return connection.nodes().getNodes(0);
  }

  @Test
  void aServerThatComesBackAsItWasIsNotNoticed() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    BrainServer first = serve(Way.UNIX, "");
    try (Connection connection = connect(Way.UNIX, first, "");
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      awaitSame(node);
      Position before = node.position(node.image());
      first.close();
      assertThat(Await.next(told.events)).isEqualTo("connected");
      assertThat(Await.next(told.events)).startsWith("unix://");
      try (BrainServer second = serve(Way.UNIX, "")) {
        assertThat(second.addresses()).hasSize(1);
        Await.until("the restart", () -> !node.position(node.image()).equals(before));
        assertThat(node.image().revision()).isEqualTo(1);
        world.service("till", "10.96.0.2");
        awaitSame(node);
        assertThat(node.image().revision()).isEqualTo(2);
      }
    } finally {
      first.close();
    }
  }

  @Test
  void aCutIsResumedWithTheDifferenceOnly() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    try (BrainServer server = serve(Way.UNIX, "");
        ChaosProxy proxy = ChaosProxy.before(socket());
        Connection connection = Connection.open(proxy.address(), Optional.empty());
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      assertThat(server.clients()).isNotNull();
      awaitSame(node);
      long instance = node.position(node.image()).instance();
      proxy.cutAll();
      world.service("till", "10.96.0.2");
      awaitSame(node);
      assertThat(node.position(node.image()).instance()).isEqualTo(instance);
      assertThat(node.image().revision()).isEqualTo(2);
    }
  }

  @Test
  void aRelayFeedsABrainThatDecidesTheSame() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    Brain below = new Brain(warning -> {});
    NodeView view = below.open(NODE, NodeSettings.DEFAULT);
    BlockingQueue<ClusterImage> transactions = new LinkedBlockingQueue<>();
    AtomicReference<String> problem = new AtomicReference<>("");
    BrainServer first = serve(Way.UNIX, "");
    try (Connection connection = connect(Way.UNIX, first, "")) {
      Thread relay = relay(connection, below, transactions, problem);
      Await.next(transactions);
      assertThat(below.cluster()).isEqualTo(world.brain.cluster());
      assertThat(view.image().sameAs(world.image())).isTrue();
      first.close();
      Await.until("the trouble", () -> !problem.get().isEmpty());
      world.remove("cart").service("till", "10.96.0.2");
      try (BrainServer second = serve(Way.UNIX, "")) {
        assertThat(second.addresses()).hasSize(1);
        Await.next(transactions);
        assertThat(below.cluster()).isEqualTo(world.brain.cluster());
        assertThat(view.image().revision()).as("one net difference").isEqualTo(2);
        world.endpoints("till", "10.244.0.7");
        Await.next(transactions);
        assertThat(view.image().sameAs(world.image())).isTrue();
      }
      relay.interrupt();
      assertThat(relay.join(Await.PATIENCE)).isTrue();
    } finally {
      first.close();
    }
  }

  private static Thread relay(
      Connection connection,
      Brain brain,
      BlockingQueue<ClusterImage> transactions,
      AtomicReference<String> problem) {
    Source source = new RelaySource(connection, Duration.ofMillis(20));
    return Thread.ofVirtual()
        .start(() -> {
          try {
            source.run(
                new Source.Sink() {
                  @Override
                  public void apply(ClusterImage newest) {
                    brain.apply(newest);
                    transactions.add(newest);
                  }

                  @Override
                  public void report(String sentence) {
                    problem.set(sentence);
                  }
                });
          } catch (InterruptedException e) {
            // It was stopped.
          }
        });
  }

  @Test
  void aServerWithTheWrongCertificateIsNotBelieved() throws Exception {
    for (String wrong : List.of("elsewhere", "expired")) {
      try (BrainServer server = serve(Way.TLS, wrong);
          Connection connection = connect(Way.TLS, server, "client");
          RemoteNode node = RemoteNode.open(connection, subscription())) {
        assertThat(Await.next(told.events))
            .as(wrong)
            .startsWith("tcp://127.0.0.1:")
            .contains(
                wrong.equals("expired")
                    ? ": the server's certificate expired on "
                    : ": the certificates do not match (");
        assertThat(node.image().isSynced()).isFalse();
      }
    }
  }

  @Test
  void whenOnlyOneSideHasCertificatesTheOtherIsTold() throws Exception {
    try (BrainServer server = serve(Way.TLS, "server");
        Connection connection = connect(Way.PLAIN, server, "");
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      assertThat(Await.next(told.events)).startsWith("tcp://127.0.0.1:").contains("--tls-key");
      assertThat(node.image().isSynced()).isFalse();
    }
    told.events.clear();
    try (BrainServer server = serve(Way.PLAIN, "");
        Connection connection = connect(Way.TLS, server, "client");
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      assertThat(Await.next(told.events)).contains("the server does not use certificates");
      assertThat(node.image().isSynced()).isFalse();
    }
  }

  @Test
  void aClientThatTheServerDoesNotKnowIsRefused() throws Exception {
    try (BrainServer server = serve(Way.TLS, "server");
        Connection connection = connect(Way.TLS, server, "stranger");
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      assertThat(Await.next(told.events))
          .contains(": the server rejects this side's certificate (", "; --tls-crt must be valid");
      assertThat(node.image().isSynced()).isFalse();
    }
  }

  @Test
  void aCertificateForAnotherNodeIsRefusedInTheServersWords() throws Exception {
    Access strict = Access.DEFAULT.withCertificateNodes(Set.of());
    try (BrainServer server = serve(Way.TLS, "server", strict);
        Connection connection = connect(Way.TLS, server, "node");
        RemoteNode node = RemoteNode.open(connection, subscription())) {
      assertThat(Await.next(told.events)).isEqualTo("connected");
      assertThat(Await.next(told.events)).contains("n1");
      assertThat(node.image().isSynced()).isFalse();
    }
  }

  private Subscription subscription() {
    return Subscription.of(NODE).errorDelay(Duration.ofMillis(50)).listener(told);
  }

  private void awaitSame(RemoteNode node) throws Exception {
    Await.until("the state", () -> node.image().isSynced() && node.image().sameAs(world.image()));
  }

  private Path socket() {
    return folder.resolve("api.sock");
  }

  private BrainServer serve(Way way, String certificate) throws Exception {
    return serve(way, certificate, Access.DEFAULT.withInsecureLoopback());
  }

  private BrainServer serve(Way way, String certificate, Access access) throws Exception {
    ListenAddress listener =
        switch (way) {
          case UNIX -> ListenAddress.plain(new Address.Unix(socket()));
          case PLAIN -> ListenAddress.plain(new Address.Tcp("127.0.0.1", 0));
          case TLS -> ListenAddress.tls(new Address.Tcp("127.0.0.1", 0), files(certificate));
          case IN_PROCESS -> ListenAddress.plain(new Address.InProcess("served-" + folder));
        };
    return BrainServer.start(
        world.brain, Options.builder().listen(listener).access(access).build());
  }

  private Connection connect(Way way, BrainServer server, String certificate) throws Exception {
    return Connection.open(
        server.addresses().getFirst(),
        way == Way.TLS ? Optional.of(files(certificate)) : Optional.empty());
  }

  private TlsFiles files(String alias) throws Exception {
    Certificates made = Certificates.made();
    return new TlsFiles(
        file(alias + ".key", made.key(alias)),
        file(alias + ".crt", made.certificate(alias)),
        file("ca.crt", made.certificate("authority")));
  }

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }
}
