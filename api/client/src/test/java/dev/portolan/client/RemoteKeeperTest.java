package dev.portolan.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.sync.Keeper;
import dev.portolan.testbase.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A keeper on a brain behind a connection. */
final class RemoteKeeperTest {
  private final World world = new World();
  private final RecordingBackend backend = new RecordingBackend();

  @Test
  void theBrainHearsWhatIsAppliedAndWhatFailed() throws Exception {
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH);
        Connection connection = Connection.open(server.address, Optional.empty())) {
      backend.failures.set(1);
      Thread runner = run(connection);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(world.image(), 7, 4);
      stream.request();
      stream.request();
      assertThat(stream.request().getReport().getError()).isEqualTo("out of order");
      WatchReq applied = stream.request();
      assertThat(applied.getReportOnly()).isTrue();
      assertThat(applied.getReport().getError()).isEmpty();
      assertThat(Position.of(applied.getReport().getApplied())).isEqualTo(new Position(7, 4));
      stop(runner);
      assertThat(backend.synced).hasSize(1);
      assertThat(backend.closed).isTrue();
    }
  }

  @Test
  void theBrainHearsThatWhatIsAppliedCannotBeKept() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicReference<Consumer<String>> suspicions = new AtomicReference<>();
    Backend fragile =
        new Backend() {
          @Override
          public void sync(NodeChange change) {}

          @Override
          public void cleanup() {}

          @Override
          public Watch watch(Consumer<String> told) {
            suspicions.set(told);
            return () -> {};
          }

          @Override
          public Audit audit(NodeImage applied) {
            if (broken.get()) {
              throw new IllegalStateException("a bug");
            }
            return Audit.CLEAN;
          }
        };
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH);
        Connection connection = Connection.open(server.address, Optional.empty())) {
      Thread runner = run(connection, fragile);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(world.image(), 7, 4);
      stream.request();
      stream.request();
      assertThat(stream.request().getReport().getError()).isEmpty();
      suspicions.get().accept("a shadow");
      assertThat(stream.request().getReport().getError()).endsWith(": a bug");
      broken.set(false);
      WatchReq recovered = stream.request();
      // An audit that began before the backend was mended fails as well.
      while (recovered.getReport().getError().endsWith(": a bug")) {
        recovered = stream.request();
      }
      assertThat(recovered.getReport().getError()).isEmpty();
      assertThat(Position.of(recovered.getReport().getApplied())).isEqualTo(new Position(7, 4));
      stop(runner);
    }
  }

  /** The same object, first on a brain in this process, then on one behind a connection. */
  @Test
  void theSameBackendRunsBothWays() throws Exception {
    Keeper inProcess = new Keeper(world.view, backend, Keeper.Options.DEFAULT);
    world.service("cart", "10.96.0.1", "10.244.0.2");
    inProcess.once();
    NodeImage first = world.image();
    world.endpoints("cart", "10.244.0.3").service("till", "10.96.0.2");
    inProcess.once();
    NodeImage second = world.image();
    world.remove("cart");
    inProcess.once();
    List<String> expected = List.copyOf(backend.synced);
    assertThat(expected).hasSize(3);
    inProcess.cleanup();

    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH);
        Connection connection = Connection.open(server.address, Optional.empty())) {
      Thread runner = run(connection);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(first, 7, 4);
      Await.until("the first sync", () -> backend.synced.size() == 1);
      stream.changes(first, second).sync(7, 5);
      Await.until("the second sync", () -> backend.synced.size() == 2);
      stream.changes(second, world.image()).sync(7, 6);
      Await.until("the third sync", () -> backend.synced.size() == 3);
      stop(runner);
      assertThat(backend.synced).isEqualTo(expected);
    }
  }

  private Thread run(Connection connection) {
    return run(connection, backend);
  }

  private static Thread run(Connection connection, Backend backend) {
    Subscription subscription = Subscription.of(World.NODE).errorDelay(Duration.ofMillis(20));
    return Thread.ofVirtual()
        .start(() -> {
          try (RemoteNode node = RemoteNode.open(connection, subscription);
              Keeper keeper =
                  new Keeper(node, backend, Keeper.Options.DEFAULT, node.acknowledgement())) {
            keeper.run();
          } catch (InterruptedException e) {
            // It was stopped.
          }
        });
  }

  private static void stop(Thread runner) throws InterruptedException {
    runner.interrupt();
    assertThat(runner.join(Await.PATIENCE)).isTrue();
  }
}
