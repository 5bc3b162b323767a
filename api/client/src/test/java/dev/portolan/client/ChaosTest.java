package dev.portolan.client;

import static dev.portolan.client.World.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.node.NodeImage;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * What a client holds at each Sync is what the brain held at that revision, whatever was cut in
 * between: connections after any number of bytes, and the server itself.
 */
final class ChaosTest {
  private static final int EVENTS = 200;

  private final World world = new World();

  /** What a client held after a Sync. */
  private record Held(NodeImage image, Position position) {}

  @Property(tries = 6)
  void everyWholeStateIsOneOfTheBrains(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<NodeImage> images = new ArrayList<>(List.of(world.image()));
    List<Held> held = new CopyOnWriteArrayList<>();
    Path folder = Files.createTempDirectory("portolan-chaos");
    Path socket = folder.resolve("api.sock");
    BrainServer server = serve(socket);
    try (ChaosProxy proxy = ChaosProxy.before(socket);
        Connection connection = Connection.open(proxy.address(), Optional.empty());
        RemoteNode node =
            RemoteNode.open(connection, Subscription.of(NODE).errorDelay(Duration.ofMillis(5)))) {
      node.onChange(() -> held.add(new Held(node.image(), node.position(node.image()))));
      proxy.cutAfter(random(random));
      for (int i = 1; i <= EVENTS; i++) {
        change(random, i);
        images.add(world.image());
        if (random.nextInt(60) == 0) {
          server.close();
          server = serve(socket);
        }
        pause(random);
      }
      proxy.cutAfter(() -> Long.MAX_VALUE);
      Await.until("the last state", () -> node.image().sameAs(world.image()));
      assertThat(proxy.cut()).isPositive();
    } finally {
      server.close();
      Files.deleteIfExists(socket);
      Files.deleteIfExists(folder);
    }
    assertEachIsTheBrains(held, images);
  }

  /** Revisions of one instance are as far from each other as the brain's images. */
  private static void assertEachIsTheBrains(List<Held> held, List<NodeImage> images) {
    Map<Long, Long> offsets = new HashMap<>();
    long last = 0;
    for (Held state : held) {
      assertThat(state.image().revision()).isEqualTo(++last);
      long revision = state.position().revision();
      long offset =
          offsets.computeIfAbsent(
              state.position().instance(), key -> indexOf(state.image(), images) - revision);
      assertThat(state.image().sameAs(images.get((int) (revision + offset)))).isTrue();
    }
  }

  private static long indexOf(NodeImage image, List<NodeImage> images) {
    for (int i = 0; i < images.size(); i++) {
      if (images.get(i).sameAs(image)) {
        return i;
      }
    }
    throw new AssertionError("the brain never decided " + image);
  }

  @Property(tries = 4)
  void everyClusterOfARelayIsOneThatTheOtherBrainKnew(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<ClusterImage> known = new ArrayList<>(List.of(world.brain.cluster()));
    List<ClusterImage> seen = new CopyOnWriteArrayList<>();
    Path folder = Files.createTempDirectory("portolan-chaos");
    Path socket = folder.resolve("api.sock");
    try (BrainServer server = serve(socket);
        ChaosProxy proxy = ChaosProxy.before(socket);
        Connection connection = Connection.open(proxy.address(), Optional.empty())) {
      assertThat(server.addresses()).hasSize(1);
      proxy.cutAfter(random(random));
      Thread relay = relay(connection, seen);
      for (int i = 1; i <= EVENTS; i++) {
        change(random, i);
        known.add(world.brain.cluster());
        pause(random);
      }
      proxy.cutAfter(() -> Long.MAX_VALUE);
      Await.until(
          "the last cluster",
          () -> !seen.isEmpty() && seen.getLast().equals(world.brain.cluster()));
      relay.interrupt();
      assertThat(relay.join(Await.PATIENCE)).isTrue();
    } finally {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(folder);
    }
    assertThat(known).containsAll(seen);
  }

  private static Thread relay(Connection connection, List<ClusterImage> seen) {
    Source source = new RelaySource(connection, Duration.ofMillis(5));
    return Thread.ofVirtual()
        .start(() -> {
          try {
            source.run(
                new Source.Sink() {
                  @Override
                  public void apply(ClusterImage newest) {
                    seen.add(newest);
                  }

                  @Override
                  public void report(String problem) {}
                });
          } catch (InterruptedException e) {
            // It was stopped.
          }
        });
  }

  private BrainServer serve(Path socket) throws Exception {
    return BrainServer.start(
        world.brain,
        Options.builder().listen(ListenAddress.plain(new Address.Unix(socket))).build());
  }

  /**
   * One event, as often as not back to what was; but the node's address makes each state another
   * one than all before.
   */
  private void change(Random random, int number) {
    Node node = World.node("10.0.%d.%d".formatted(number / 250, 1 + number % 250));
    String name = "s" + random.nextInt(8);
    if (random.nextInt(4) == 0) {
      become(World.removal(name), node);
      return;
    }
    String[] endpoints = new String[random.nextInt(3)];
    for (int i = 0; i < endpoints.length; i++) {
      endpoints[i] = "10.244.0." + (1 + random.nextInt(2));
    }
    become(World.addition(name, "10.96.0." + name.substring(1), endpoints), node);
  }

  private void become(ClusterDelta change, Node node) {
    world.brain.apply(change.applyTo(world.brain.cluster()).with(node));
  }

  private static LongSupplier random(Random random) {
    Random own = new Random(random.nextLong());
    return () -> 100 + own.nextInt(own.nextBoolean() ? 1_000 : 6_000);
  }

  private static void pause(Random random) throws InterruptedException {
    Thread.sleep(random.nextInt(6));
  }
}
