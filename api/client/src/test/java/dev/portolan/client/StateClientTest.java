package dev.portolan.client;

import static dev.portolan.client.World.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.node.NodeImage;
import dev.portolan.testbase.Await;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class StateClientTest {
  private final World world = new World();
  private final Subscription subscription = Subscription.of(NODE).errorDelay(Duration.ofMillis(20));

  @AutoClose private final ScriptedServer<WatchReq> server;
  @AutoClose private final Connection connection;

  StateClientTest() throws Exception {
    server = ScriptedServer.inProcess(Methods.LOCAL_WATCH);
    connection = Connection.open(server.address, Optional.empty());
  }

  @Test
  void statesComeOneAfterAnotherAndSurviveALostServer() throws Exception {
    try (StateClient client = StateClient.open(connection, subscription)) {
      CompletableFuture<Optional<NodeImage>> next = next(client);
      server.stream().fail(Status.UNAVAILABLE);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.request();
      stream.whole(world.image(), 7, 1);
      assertThat(get(next).orElseThrow().sameAs(world.image())).isTrue();
      assertThat(client.position()).isEqualTo(new Position(7, 1));

      next = next(client);
      stream.request();
      assertThat(stream.request().getReport().getApplied().getRevision())
          .as("who asks for the next has applied the last")
          .isEqualTo(1);
      stream.fail(Status.UNAVAILABLE);
      ScriptedServer<WatchReq>.Stream restarted = server.stream();
      restarted.whole(world.image(), 8, 1);
      Await.until("the restart is noticed", () -> client.position().instance() == 8);
      assertThat(next).as("nothing differs after the restart").isNotDone();

      NodeImage before = world.image();
      world.service("cart", "10.96.0.1", "10.244.0.2");
      restarted.changes(before, world.image()).sync(8, 2);
      assertThat(get(next).orElseThrow().sameAs(world.image())).isTrue();
    }
  }

  @Test
  void aStateThatSomebodyHasAlreadyIsNotBrought() throws Exception {
    try (StateClient client = StateClient.open(connection, subscription, new Position(7, 1))) {
      CompletableFuture<Optional<NodeImage>> next = next(client);
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(world.image(), 7, 1);
      stream.request();
      stream.request();
      assertThat(next).isNotDone();
      NodeImage before = world.image();
      world.service("cart", "10.96.0.1", "10.244.0.2");
      stream.changes(before, world.image()).sync(7, 2);
      assertThat(get(next).orElseThrow().sameAs(world.image())).isTrue();
    }
  }

  @Test
  void afterARestartAnyStateIsAnotherOne() throws Exception {
    try (StateClient client = StateClient.open(connection, subscription, new Position(6, 1))) {
      server.stream().whole(world.image(), 7, 1);
      assertThat(get(next(client))).isPresent();
    }
  }

  @Test
  void aStateThatCouldNotBeAppliedComesAgain() throws Exception {
    try (StateClient client = StateClient.open(connection, subscription)) {
      ScriptedServer<WatchReq>.Stream stream = server.stream();
      stream.whole(world.image(), 7, 1);
      NodeImage first = get(next(client)).orElseThrow();
      stream.request();
      stream.request();
      client.failed("no room");
      assertThat(stream.request().getReport().getError()).isEqualTo("no room");
      assertThat(get(next(client))).containsSame(first);
    }
  }

  @Test
  void cancelEndsTheWaiting() throws Exception {
    try (StateClient client = StateClient.open(connection, subscription)) {
      CompletableFuture<Optional<NodeImage>> next = next(client);
      server.stream();
      client.cancel();
      assertThat(get(next)).isEmpty();
      assertThat(client.next()).isEmpty();
    }
  }

  private static CompletableFuture<Optional<NodeImage>> next(StateClient client) {
    CompletableFuture<Optional<NodeImage>> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            result.complete(client.next());
          } catch (InterruptedException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
