package dev.portolan.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.ClusterItems;
import dev.portolan.api.Methods;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.StreamItem;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.Source;
import dev.portolan.testbase.Await;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class RelaySourceTest {
  private final World world = new World();
  private final BlockingQueue<ClusterDelta> transactions = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> problems = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> recoveries = new LinkedBlockingQueue<>();

  @AutoClose private final ScriptedServer<GlobalWatchReq> server;
  @AutoClose private final Connection connection;
  private final RelaySource source;
  private final Thread relay;

  RelaySourceTest() throws Exception {
    server = ScriptedServer.inProcess(Methods.GLOBAL_WATCH);
    connection = Connection.open(server.address, Optional.empty());
    source = new RelaySource(connection, Duration.ofMillis(20));
    relay =
        Thread.ofVirtual()
            .start(() -> {
              try {
                source.run(new Sink());
              } catch (InterruptedException e) {
                // It was stopped.
              }
            });
    world
        .service("cart", "10.96.0.1", "10.244.0.2")
        .apply(
            ClusterDelta.builder()
                .set(new ServiceCidr("kubernetes", List.of("10.96.0.0/16")))
                .set(World.slice("cart", Instant.parse("2026-03-01T10:00:00Z"), "10.244.0.2"))
                .build());
  }

  @AfterEach
  void stop() throws InterruptedException {
    relay.interrupt();
    assertThat(relay.join(Await.PATIENCE)).isTrue();
  }

  @Test
  void theFirstTransactionIsTheWholeCluster() throws Exception {
    ScriptedServer<GlobalWatchReq>.Stream stream = server.stream();
    assertThat(stream.request().getSetsList())
        .containsExactly(
            Set.GlobalServiceInfos, Set.GlobalSlices, Set.GlobalNodeInfos, Set.GlobalServiceCIDRs);
    send(stream, world.brain.cluster());
    assertThat(transactions).as("not before it is whole").isEmpty();
    sync(stream, 7, 1);
    assertThat(Await.next(transactions).applyTo(ClusterImage.EMPTY))
        .isEqualTo(world.brain.cluster());
  }

  @Test
  void anEmptyClusterIsATransactionToo() throws Exception {
    sync(server.stream().send(StreamItem.RESET), 7, 1);
    assertThat(Await.next(transactions)).isEqualTo(ClusterDelta.EMPTY);
  }

  @Test
  void changesFollowAndACutIsResumed() throws Exception {
    ScriptedServer<GlobalWatchReq>.Stream stream = server.stream();
    sync(send(stream, world.brain.cluster()), 7, 1);
    Await.next(transactions);
    NamespacedName slice = new NamespacedName("shop", "cart-1");
    stream.send(ClusterItems.deleteSlice(slice)).fail(Status.UNAVAILABLE);

    ScriptedServer<GlobalWatchReq>.Stream second = server.stream();
    assertThat(Position.of(second.request().getResume())).isEqualTo(new Position(7, 1));
    Node changed = World.node("10.0.0.9");
    sync(second.send(ClusterItems.node(changed)), 7, 2);
    assertThat(Await.next(transactions)).isEqualTo(ClusterDelta.builder().set(changed).build());
    sync(
        second.send(
            ClusterItems.deleteService(new NamespacedName("shop", "cart")),
            ClusterItems.deleteSlice(slice),
            ClusterItems.deleteNode(World.NODE),
            ClusterItems.deleteServiceCidr("kubernetes")),
        7,
        3);
    ClusterDelta last = Await.next(transactions);
    assertThat(last.services()).containsOnlyKeys(new NamespacedName("shop", "cart"));
    assertThat(last.slices()).containsOnlyKeys(slice);
    assertThat(last.nodes()).containsOnlyKeys(World.NODE);
    assertThat(last.serviceCidrs()).containsOnlyKeys("kubernetes");
  }

  @Test
  void aRestartUpstreamShowsAsTheDifferenceOnly() throws Exception {
    ScriptedServer<GlobalWatchReq>.Stream stream = server.stream();
    sync(send(stream, world.brain.cluster()), 7, 1);
    Await.next(transactions);
    stream.fail(Status.UNAVAILABLE);

    ScriptedServer<GlobalWatchReq>.Stream second = server.stream();
    second.request();
    sync(send(second, world.brain.cluster()), 8, 1);
    second.request();
    assertThat(transactions).as("nothing differs").isEmpty();
    second.fail(Status.UNAVAILABLE);

    world.remove("cart");
    sync(send(server.stream(), world.brain.cluster()), 9, 1);
    ClusterDelta difference = Await.next(transactions);
    assertThat(difference.services())
        .isEqualTo(Map.of(new NamespacedName("shop", "cart"), Optional.empty()));
    assertThat(difference.nodes()).isEmpty();
  }

  @Test
  void troubleIsReportedOnceNotOnceATry() throws Exception {
    for (int i = 0; i < 3; i++) {
      server.stream().fail(Status.PERMISSION_DENIED.withDescription("not for you"));
    }
    ScriptedServer<GlobalWatchReq>.Stream stream = server.stream();
    assertThat(Await.next(problems)).isEqualTo(server.address + ": not for you [PORT-403]");
    assertThat(problems).isEmpty();
    sync(send(stream, world.brain.cluster()), 7, 1);
    Await.next(transactions);
    Await.next(recoveries);
    stream.fail(Status.PERMISSION_DENIED.withDescription("not for you"));
    assertThat(Await.next(problems)).isEqualTo(server.address + ": not for you [PORT-403]");
  }

  @Test
  void aBrainWhoseOwnSourceIsLostIsReportedOnceItsStateIsKnown() throws Exception {
    Instant lostAt = Instant.now().minusSeconds(3600);
    StreamItem lost = StreamItem.heartbeat(lostAt, "https://c: connection refused [PORT-202]");
    String told =
        server.address + ": the brain's own source is lost: https://c: connection refused";
    ScriptedServer<GlobalWatchReq>.Stream stream = server.stream().send(lost);
    assertThat(Await.next(recoveries)).as("it answers").isNotNull();
    sync(send(stream, world.brain.cluster()), 7, 1);
    Await.next(transactions);
    assertThat(Await.next(problems)).isEqualTo(told + " [PORT-403]");
    assertThat(source.silence()).isGreaterThanOrEqualTo(Duration.ofHours(1));

    stream.send(lost, StreamItem.HEARTBEAT);
    Await.next(recoveries);
    assertThat(problems).isEmpty();
    assertThat(source.silence()).isZero();

    stream.send(lost);
    assertThat(Await.next(problems)).isEqualTo(told + " [PORT-403]");
    stream.fail(Status.PERMISSION_DENIED.withDescription("not for you"));
    assertThat(Await.next(problems)).isEqualTo(server.address + ": not for you [PORT-403]");
    ScriptedServer<GlobalWatchReq>.Stream second = server.stream().send(lost);
    sync(second, 7, 1);
    Await.next(recoveries);
    assertThat(Await.next(problems)).as("still").isEqualTo(told + " [PORT-403]");
    assertThat(transactions).isEmpty();
  }

  @Test
  void garbageIsReportedAndTheLastStateStays() throws Exception {
    ScriptedServer<GlobalWatchReq>.Stream stream = server.stream();
    sync(send(stream, world.brain.cluster()), 7, 1);
    Await.next(transactions);
    stream.send(StreamItem.delete(Set.GlobalServiceInfos, "no path"));
    assertThat(Await.next(problems)).contains("no path");
    assertThat(server.stream().request().hasResume()).isFalse();
    assertThat(transactions).isEmpty();
  }

  @Test
  void endpointsOfKpngBecomeSlices() throws Exception {
    ScriptedServer<GlobalWatchReq>.Stream stream = server.stream();
    stream.send(StreamItem.RESET);
    Service service = world.brain.cluster().services().get(new NamespacedName("shop", "cart"));
    stream.send(ClusterItems.service(service));
    List<ClusterItems.Entry> two =
        ClusterItems.endpointInfos(World.slice("cart", null, "10.244.0.2", "10.244.0.3"));
    two.forEach(entry -> stream.send(entry.set()));
    stream.send(StreamItem.SYNC);
    ClusterDelta first = Await.next(transactions);
    assertThat(addresses(first)).containsExactlyInAnyOrder("10.244.0.2", "10.244.0.3");

    stream.send(two.getFirst().delete(), StreamItem.SYNC);
    assertThat(addresses(Await.next(transactions))).hasSize(1);
    stream.send(two.getLast().delete(), StreamItem.SYNC);
    assertThat(Await.next(transactions).slices().values()).containsOnly(Optional.empty());
  }

  private static List<String> addresses(ClusterDelta delta) {
    return delta.slices().values().stream()
        .flatMap(Optional::stream)
        .flatMap(slice -> slice.members().stream())
        .map(EndpointSlice.Member::addresses)
        .map(List::getFirst)
        .toList();
  }

  /** Everything, without its Sync. */
  private static ScriptedServer<GlobalWatchReq>.Stream send(
      ScriptedServer<GlobalWatchReq>.Stream stream, ClusterImage cluster) {
    stream.send(StreamItem.RESET);
    cluster.nodes().forEach((name, node) -> stream.send(ClusterItems.node(node)));
    cluster.services().forEach((name, service) -> stream.send(ClusterItems.service(service)));
    cluster.slices().forEach((name, slice) -> stream.send(ClusterItems.slice(slice)));
    cluster.serviceCidrs().forEach((name, cidr) -> stream.send(ClusterItems.serviceCidr(cidr)));
    return stream;
  }

  private static void sync(
      ScriptedServer<GlobalWatchReq>.Stream stream, long instance, long revision) {
    stream.send(StreamItem.sync(NodeMessages.change(instance, revision, List.of())));
  }

  private final class Sink implements Source.Sink {
    private ClusterImage cluster = ClusterImage.EMPTY;

    @Override
    public void apply(ClusterImage newest) {
      transactions.add(ClusterDelta.between(cluster, newest));
      cluster = newest;
    }

    @Override
    public void report(String problem) {
      problems.add(problem);
    }

    @Override
    public void recovered() {
      recoveries.add("recovered");
    }
  }
}
