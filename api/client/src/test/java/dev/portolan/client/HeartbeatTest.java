package dev.portolan.client;

import static dev.portolan.client.World.NODE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.Methods;
import dev.portolan.api.StreamItem;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.testbase.Await;
import dev.portolan.tls.TlsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are alive and silent. */
final class HeartbeatTest {
  private static final Duration OFTEN = Duration.ofMillis(200);
  private static final String SILENT = "no sign of life from the server for ";

  @TempDir Path folder;
  private final World world = new World();
  private final Told told = new Told();

  private static Connection open(Address address) throws TlsException {
    return open(address, OFTEN);
  }

  private static Connection open(Address address, Duration heartbeat) throws TlsException {
    return Connection.open(
        address, Optional.empty(), Connection.Options.DEFAULT.heartbeat(heartbeat));
  }

  private RemoteNode follow(Connection connection) {
    return RemoteNode.open(
        connection, Subscription.of(NODE).errorDelay(Duration.ofMillis(50)).listener(told));
  }

  private BrainServer serve() {
    return BrainServer.start(
        world.brain,
        Options.builder()
            .listen(ListenAddress.plain(new Address.Unix(folder.resolve("brain.sock"))))
            .build());
  }

  /** Waits until a quiet server would have been given up. */
  private static void passTime(Duration heartbeat) throws InterruptedException {
    Thread.sleep(heartbeat.multipliedBy(3));
  }

  /** A busy machine is a second late, and the brain that runs on it. */
  @Test
  void aQuietBrainIsKept() throws Exception {
    Duration heartbeat = Duration.ofSeconds(1);
    try (BrainServer server = serve();
        Connection connection = open(server.addresses().getFirst(), heartbeat);
        RemoteNode node = follow(connection)) {
      Await.until("the state", () -> node.image().isSynced());
      passTime(heartbeat);
      assertThat(node.silence()).isZero();
      assertThat(told.events).containsExactly("connected");
    }
  }

  @Test
  void aNodeKnowsForHowLongItsBrainIsBlind() throws Exception {
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH);
        Connection connection = open(server.address, Duration.ofMinutes(1));
        RemoteNode node = follow(connection)) {
      ScriptedServer<WatchReq>.Stream stream =
          server.stream().send(StreamItem.HEARTBEAT).whole(world.image(), 7, 1);
      Await.until("the state", () -> node.image().isSynced());
      assertThat(node.sourceSilence()).isZero();
      stream.send(StreamItem.heartbeat(Instant.now().minusSeconds(3600), "a test"));
      Await.until("the news", () -> node.sourceSilence().toMinutes() >= 60);
      assertThat(node.silence()).as("the brain itself is there").isZero();
      stream.send(StreamItem.HEARTBEAT);
      Await.until("the end of it", () -> node.sourceSilence().isZero());
    }
  }

  @Test
  void aServerWithoutHeartbeatsIsKept() throws Exception {
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH);
        Connection connection = open(server.address);
        RemoteNode node = follow(connection)) {
      ScriptedServer<WatchReq>.Stream stream = server.stream().whole(world.image(), 7, 1);
      Await.until("the state", () -> node.image().isSynced());
      passTime(OFTEN);
      stream.changes(world.image(), world.service("cart", "10.96.0.1").image()).sync(7, 2);
      Await.until("the change", () -> node.image().sameAs(world.image()));
      assertThat(told.events).containsExactly("connected");
    }
  }

  @Test
  void aStreamThatFallsSilentIsReplaced() throws Exception {
    Path socket = folder.resolve("api.sock");
    try (ScriptedServer<WatchReq> server = ScriptedServer.unix(socket, Methods.LOCAL_WATCH);
        Connection connection = open(server.address);
        RemoteNode node = follow(connection)) {
      ScriptedServer<WatchReq>.Stream first = server.stream();
      assertThat(first.request().getHeartbeatMillis()).isEqualTo(200);
      first.send(StreamItem.HEARTBEAT).whole(world.image(), 7, 1);
      Await.until("the state", () -> node.image().isSynced());
      assertThat(Await.next(told.events)).isEqualTo("connected");
      assertThat(Await.next(told.events)).startsWith("unix://" + socket + ": " + SILENT);
      ScriptedServer<WatchReq>.Stream second = server.stream();
      assertThat(Position.of(second.request().getResume())).isEqualTo(new Position(7, 1));
      assertThat(node.silence()).as("it owes a sign of life").isPositive();
      // Where this machine is slow, a stream is given up before anything is sent on it.
      Await.until(
          "a stream that is answered in time",
          () -> {
            server.stream().send(StreamItem.HEARTBEAT).sync(7, 1);
            return "connected".equals(told.events.poll(1, TimeUnit.SECONDS));
          });
      assertThat(node.image().revision()).isEqualTo(1);
    }
  }

  @Test
  void aBrainThatFeedsOnASilentOneDialsAgain() throws Exception {
    BlockingQueue<String> sentences = new LinkedBlockingQueue<>();
    Source.Sink sink =
        new Source.Sink() {
          @Override
          public void apply(ClusterImage cluster) {
            sentences.add("state");
          }

          @Override
          public void report(String sentence) {
            sentences.add(sentence);
          }
        };
    try (ScriptedServer<GlobalWatchReq> server = ScriptedServer.inProcess(Methods.GLOBAL_WATCH);
        Connection connection = open(server.address)) {
      Thread reading =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  new RelaySource(connection, Duration.ofMillis(50)).run(sink);
                } catch (InterruptedException e) {
                  // The test is over.
                }
              });
      server.stream().send(StreamItem.HEARTBEAT, StreamItem.RESET).sync(7, 1);
      assertThat(Await.next(sentences)).isEqualTo("state");
      assertThat(Await.next(sentences)).contains(SILENT);
      assertThat(Position.of(server.stream().request().getResume())).isEqualTo(new Position(7, 1));
      reading.interrupt();
      reading.join();
    }
  }

  @Test
  void callsThatWatchEndWhenNothingComesThrough() throws Exception {
    world.apply(ClusterDelta.builder().build());
    try (BrainServer server = serve();
        ChaosProxy proxy = ChaosProxy.before(folder.resolve("brain.sock"));
        Connection connection = open(proxy.address())) {
      assertThat(server.addresses()).hasSize(1);
      assertThatThrownBy(() ->
              connection.waitFor(
                  WaitRequest.newBuilder().setNewest(true).addNodes(NODE).build(),
                  reply -> {
                    proxy.freeze();
                    return true;
                  }))
          .isInstanceOf(ConnectionException.class)
          .hasMessageContaining(SILENT);
      proxy.thaw();
      assertThatThrownBy(() ->
              connection.watchExplain(
                  ExplainRequest.newBuilder().setNode(NODE).setTarget("10.0.0.9:80").build(),
                  reply -> proxy.freeze()))
          .isInstanceOf(ConnectionException.class)
          .hasMessageContaining(SILENT);
      proxy.thaw();
    }
  }
}
