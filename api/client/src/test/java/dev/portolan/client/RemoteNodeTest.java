package dev.portolan.client;

import static dev.portolan.client.World.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import dev.portolan.api.EncodedService;
import dev.portolan.api.Methods;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.EndpointScopes;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.PortName;
import dev.portolan.api.localv1.Protocol;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.ServiceIPs;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Trigger;
import dev.portolan.testbase.Await;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a client holds while a server says all kinds of things. */
final class RemoteNodeTest {
  private final World world = new World();
  private final Told told = new Told();
  private final Semaphore changes = new Semaphore(0);

  @AutoClose private final ScriptedServer<WatchReq> server;
  @AutoClose private final Connection connection;
  @AutoClose private final RemoteNode node;

  RemoteNodeTest() throws Exception {
    server = ScriptedServer.inProcess(Methods.LOCAL_WATCH);
    connection = Connection.open(server.address, Optional.empty());
    node =
        RemoteNode.open(
            connection,
            Subscription.of(NODE)
                .clientName("test")
                .errorDelay(Duration.ofMillis(20))
                .listener(told));
    node.onChange(changes::release);
  }

  @Test
  void asksForEverythingAtFirst() throws Exception {
    assertThat(server.stream().request())
        .isEqualTo(
            WatchReq.newBuilder()
                .setNodeName(NODE)
                .addSets(Set.ServicesSet)
                .addSets(Set.NodeFactsSet)
                .setClientName("test")
                .setBatchBytes(Connection.Options.DEFAULT.mostMessageBytes())
                .setHeartbeatMillis(10_000)
                .setPush(true)
                .setGzip(true)
                .build());
    assertThat(node.image()).isEqualTo(NodeImage.unsynced(NODE));
  }

  @Test
  void holdsWhatTheServerHolds() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 3);
    assertHeld(1, new Position(7, 3));

    NodeImage before = world.image();
    world.service("till", "10.96.0.2", "10.244.0.3").remove("cart");
    stream.changes(before, world.image()).sync(7, 5);
    assertHeld(2, new Position(7, 5));
    assertThat(told.events).containsExactly("connected");
    assertThat(node.link().connectedSince()).isPresent();
  }

  @Test
  void anEmptyClusterIsAStateToo() throws Exception {
    server.stream().whole(NodeImage.unsynced(NODE), 7, 1);
    awaitChange();
    assertThat(node.image().isSynced()).isTrue();
    assertThat(node.image().services()).isEmpty();
  }

  @Test
  void oneRequestEachSetOfChanges() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.request();
    assertThat(stream.requests).isEmpty();
    stream.whole(world.image(), 7, 1);
    WatchReq second = stream.request();
    assertThat(second.hasResume()).isFalse();
    assertThat(second.getReportOnly()).isFalse();
    assertThat(stream.requests).isEmpty();
  }

  @Test
  void aServerThatPushesIsNotAsked() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = pushing();
    for (int revision = 2; revision < 5; revision++) {
      NodeImage before = world.image();
      world.service("cart", "10.96.0.1", "10.244.0." + revision);
      stream.changes(before, world.image()).pushed(7, revision);
      assertHeld(revision, new Position(7, revision));
    }
    assertThat(stream.requests).isEmpty();
  }

  @Test
  void whatIsAppliedInQuickSuccessionIsReportedOnce() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = pushing();
    node.applied(node.image());
    assertThat(stream.request().getReport().getApplied().getRevision()).isEqualTo(1);
    for (int revision = 2; revision < 5; revision++) {
      NodeImage before = world.image();
      world.service("cart", "10.96.0.1", "10.244.0." + revision);
      stream.changes(before, world.image()).pushed(7, revision);
      assertHeld(revision, new Position(7, revision));
      node.applied(node.image());
    }
    WatchReq report = stream.request();
    assertThat(report.getReportOnly()).isTrue();
    assertThat(report.getReport().getApplied().getRevision()).isEqualTo(4);
  }

  @Test
  void aServerThatComesBackWithTheSameStateHearsThatItIsApplied() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = pushing();
    node.applied(node.image());
    stream.request();
    stream.fail(Status.UNAVAILABLE.withDescription("killed"));

    ScriptedServer<WatchReq>.Stream second = server.stream();
    second.request();
    second.whole(world.image()).pushed(8, 3);
    WatchReq report = second.request();
    assertThat(report.getReportOnly()).isTrue();
    assertThat(Position.of(report.getReport().getApplied())).isEqualTo(new Position(8, 3));
  }

  @Test
  void whatFailsAndWhatSomebodyWaitsForIsReportedAtOnce() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = pushing();
    node.applied(node.image());
    stream.request();
    node.failed("the kernel said no");
    node.applied(node.image());
    node.failed("the kernel said no again");
    assertThat(stream.request().getReport().getError()).isEqualTo("the kernel said no");
    assertThat(stream.request().getReport().getError()).isEmpty();
    assertThat(stream.request().getReport().getError()).isEqualTo("the kernel said no again");

    stream.send(StreamItem.heartbeat(OpItem.newBuilder().setReportsAwaited(true).build()));
    for (int differences = 1; differences < 4; differences++) {
      NodeImage before = world.image();
      world.service("cart", "10.96.0.1", "10.244.0." + differences);
      stream.changes(before, world.image()).pushed(7, differences + 1);
      assertHeld(differences + 1, new Position(7, differences + 1));
      node.audited(differences);
      assertThat(stream.request().getReport().getAudit().getDifferences()).isEqualTo(differences);
    }
  }

  @Test
  void aBatchCountsAsItsItems() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    Service cart = NodeMessages.service(world.image().services().iterator().next());
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.send(
        StreamItem.batch(List.of(StreamItem.RESET, NodeMessages.factsItem(world.image().facts()))),
        StreamItem.batch(
            List.of(
                StreamItem.set(Set.ServicesSet, "shop/cart", cart),
                StreamItem.sync(NodeMessages.change(7, 1, List.of())))));
    assertHeld(1, new Position(7, 1));
  }

  @Test
  void whatIsPackedCountsAsItsItems() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    Service cart = NodeMessages.service(world.image().services().iterator().next());
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream
        .send(
            StreamItem.RESET,
            StreamItem.packed(
                StreamItem.wholeBatch(List.of(StreamItem.set(Set.ServicesSet, "shop/cart", cart)))),
            NodeMessages.factsItem(world.image().facts()))
        .sync(7, 1);
    assertHeld(1, new Position(7, 1));
  }

  @Test
  void whatUnpacksToMoreThanWasAskedForIsRefused() throws Exception {
    Service large =
        Service.newBuilder()
            .setName("x".repeat(Connection.Options.DEFAULT.mostMessageBytes()))
            .build();
    server.stream()
        .send(
            StreamItem.RESET,
            StreamItem.packed(
                StreamItem.wholeBatch(
                    List.of(StreamItem.set(Set.ServicesSet, "shop/cart", large)))));
    Await.until(
        "it is lost",
        () -> told.events.stream().anyMatch(event -> event.contains("Packed: has more than the ")));
    server.stream()
        .send(
            StreamItem.heartbeat(
                OpItem.newBuilder().setPacked(ByteString.copyFromUtf8("no")).build()));
    Await.until(
        "it is lost again",
        () -> told.events.stream().anyMatch(event -> event.contains("Packed: cannot be unpacked")));
  }

  @Test
  void halfASetOfChangesIsNeverShown() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
    NodeImage before = world.image();
    NodeImage shown = node.image();
    world.service("cart", "10.96.0.1", "10.244.0.2");
    stream.changes(before, world.image()).fail(Status.UNAVAILABLE.withDescription("killed"));

    ScriptedServer<WatchReq>.Stream second = server.stream();
    WatchReq request = second.request();
    assertThat(Position.of(request.getResume())).isEqualTo(new Position(7, 1));
    assertThat(node.image()).isSameAs(shown);
    second.sync(7, 2);
    Await.until("the position moves", () -> node.position(node.image()).revision() == 2);
    assertThat(node.image().services()).isEmpty();

    second.changes(before, world.image()).sync(7, 3);
    assertHeld(2, new Position(7, 3));
  }

  @Test
  void halfAStateAfterAResetIsNeverShownEither() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
    stream.send(StreamItem.RESET).end();

    ScriptedServer<WatchReq>.Stream second = server.stream();
    assertThat(Position.of(second.request().getResume())).isEqualTo(new Position(7, 1));
    assertThat(node.image().services()).hasSize(1);
    second.sync(7, 1);
    assertThat(Await.next(told.events)).isEqualTo("connected");
    assertThat(Await.next(told.events)).endsWith("the server ended the stream; retrying");
    assertThat(Await.next(told.events)).isEqualTo("connected");
    assertHeldNow(1, new Position(7, 1));
  }

  @Test
  void aRestartThatChangedNothingIsNotSeen() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 4);
    assertHeld(1, new Position(7, 4));
    NodeImage before = node.image();
    node.applied(before);
    stream.fail(Status.UNAVAILABLE);

    ScriptedServer<WatchReq>.Stream second = server.stream();
    assertThat(second.request().getReport().getApplied().getInstance()).isEqualTo(7);
    second.whole(world.image(), 8, 1);
    WatchReq next = second.request();
    assertThat(changes.availablePermits()).isZero();
    assertThat(node.image().revision()).isEqualTo(1);
    assertThat(node.image().services().base().isIdenticalTo(before.services().base())).isTrue();
    assertThat(node.position(before)).isEqualTo(new Position(8, 1));
    assertThat(Position.of(next.getReport().getApplied())).isEqualTo(new Position(8, 1));
  }

  @Test
  void aRestartShowsAsTheDifferenceOnly() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2").service("till", "10.96.0.2", "10.244.0.3");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 4);
    assertHeld(1, new Position(7, 4));
    NodeImage before = node.image();
    stream.fail(Status.UNAVAILABLE);
    world.remove("till").service("bank", "10.96.0.3", "10.244.0.4");

    server.stream().whole(world.image(), 8, 4);
    assertHeld(2, new Position(8, 4));
    NodeChange change = NodeChange.between(before, node.image());
    assertThat(change.set()).extracting(service -> service.name().name()).containsExactly("bank");
    assertThat(change.removed())
        .extracting(service -> service.name().name())
        .containsExactly("till");
    assertThat(change.factsChanged()).isFalse();
  }

  @Test
  void aResetInTheMiddleOfAStreamIsHidden() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
    NodeImage before = world.image();
    world.service("till", "10.96.0.2", "10.244.0.3");
    stream.changes(before, world.image()).whole(world.image(), 7, 2);
    assertHeld(2, new Position(7, 2));
  }

  @Test
  void garbageEndsTheStreamAndTheLastStateStays() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
    Service bad = NodeMessages.service(world.image().services().iterator().next());
    bad =
        bad.toBuilder()
            .setDecision(
                bad.getDecision().toBuilder()
                    .setPorts(0, bad.getDecision().getPorts(0).toBuilder().setClusterIP("no ip")))
            .build();
    NodeImage shown = node.image();
    for (int i = 0; i < 3; i++) {
      stream.send(StreamItem.set(Set.ServicesSet, "shop/cart", bad));
      stream = server.stream();
      assertThat(stream.request().hasResume()).as("nothing is trusted any more").isFalse();
    }
    assertThat(node.image()).isSameAs(shown);
    assertThat(Await.next(told.events)).isEqualTo("connected");
    assertThat(Await.next(told.events))
        .startsWith(server.address + ": the server sent data that cannot be decoded (")
        .contains("shop/cart")
        .contains("no ip")
        .endsWith("do client and server have the same version?");
    assertThat(told.events).as("told once, however often it is tried").isEmpty();
    stream.whole(world.image(), 7, 2);
    assertThat(Await.next(told.events)).isEqualTo("connected");
  }

  @Test
  void bytesThatAreNoMessageAreGarbageToo() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    BytesValue noName = BytesValue.of(ByteString.copyFrom(new byte[] {-1}));
    stream.send(StreamItem.RESET, StreamItem.set(Set.ServicesSet, "shop/cart", noName));
    assertThat(server.stream().request().hasResume()).isFalse();
    assertThat(node.image().isSynced()).isFalse();
  }

  @Test
  void aValueOfAnotherServiceIsGarbageToo() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    Service cart = NodeMessages.service(world.image().services().iterator().next());
    server.stream().send(StreamItem.RESET, StreamItem.set(Set.ServicesSet, "shop/till", cart));
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    Service undecided = cart.toBuilder().clearDecision().build();
    stream.send(
        StreamItem.RESET, StreamItem.set(Set.ServicesSet, "shop/till", undecided), StreamItem.SYNC);
    server.stream();
    assertThat(node.image().isSynced()).isFalse();
    assertThat(node.link().lastError().orElseThrow()).contains("its value is of service shop/cart");
  }

  @Test
  void whatIsNotKnownIsSkipped() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.send(StreamItem.set(Set.GlobalNodeInfos, "|x||", IPSet.getDefaultInstance()));
    stream.send(StreamItem.delete(Set.UnknownSet, "x"));
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
  }

  @Test
  void aRefusalIsToldOnceInTheServersWords() throws Exception {
    for (int i = 0; i < 4; i++) {
      server.stream().fail(Status.PERMISSION_DENIED.withDescription("the certificate is of n2"));
    }
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    assertThat(Await.next(told.events)).isEqualTo("connected");
    assertThat(Await.next(told.events)).isEqualTo(server.address + ": the certificate is of n2");
    assertThat(node.link().lastError()).contains(server.address + ": the certificate is of n2");
    stream.whole(world.image(), 7, 1);
    assertThat(Await.next(told.events)).isEqualTo("connected");
    assertThat(told.events).isEmpty();
  }

  @Test
  void reportsGoOutAtOnce() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
    stream.request();
    stream.request();
    node.applied(node.image());
    WatchReq report = stream.request();
    assertThat(report.getReportOnly()).isTrue();
    assertThat(Position.of(report.getReport().getApplied())).isEqualTo(new Position(7, 1));

    node.failed("the kernel said no");
    node.failed("the kernel said no");
    NodeImage applied = node.image();
    Report failure = stream.request().getReport();
    assertThat(failure.getError()).isEqualTo("the kernel said no");
    assertThat(Position.of(failure.getApplied())).isEqualTo(new Position(7, 1));
    assertThat(stream.requests).as("the same is not said twice").isEmpty();

    NodeImage before = world.image();
    world.service("cart", "10.96.0.1", "10.244.0.2");
    stream.changes(before, world.image()).sync(7, 2);
    assertHeld(2, new Position(7, 2));
    assertThat(stream.request().getReport()).as("every request repeats it").isEqualTo(failure);
    node.applied(applied);
    assertThat(stream.request().getReport().getError()).isEmpty();
    node.applied(node.image());
    assertThat(stream.request().getReport().getApplied().getRevision()).isEqualTo(2);
  }

  @Test
  void triggersReachTheChange() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
    NodeImage before = world.image();
    NodeSnapshot held = node.newest();
    world.endpoints("cart", "10.244.0.2", "10.244.0.3");
    Trigger trigger =
        new Trigger(new NamespacedName("shop", "cart"), Instant.parse("2026-03-01T10:00:00Z"));
    Trigger other =
        new Trigger(new NamespacedName("shop", "till"), Instant.parse("2026-03-01T10:00:01Z"));
    stream
        .changes(before, world.image())
        .send(StreamItem.sync(NodeMessages.change(7, 2, List.of(trigger, other))));
    assertHeld(2, new Position(7, 2));
    assertThat(NodeChange.between(held, node.newest()).triggers()).containsExactly(trigger);
  }

  @Test
  void followsAServerOfKpng() throws Exception {
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    Service service =
        Service.newBuilder()
            .setNamespace("shop")
            .setName("cart")
            .setType("ClusterIP")
            .setIPs(
                ServiceIPs.newBuilder()
                    .setClusterIPs(IPSet.newBuilder().addV4("10.96.0.1"))
                    .setExternalIPs(IPSet.getDefaultInstance()))
            .addPorts(
                PortMapping.newBuilder()
                    .setName("http")
                    .setProtocol(Protocol.TCP)
                    .setPort(80)
                    .setTargetPort(8080))
            .build();
    StreamItem one = StreamItem.set(Set.EndpointsSet, "shop/cart/cart-1", endpoint("10.244.0.2"));
    StreamItem two = StreamItem.set(Set.EndpointsSet, "shop/cart/cart-2", endpoint("10.244.0.3"));
    stream.send(
        StreamItem.RESET,
        StreamItem.set(Set.ServicesSet, "shop/cart", service),
        one,
        StreamItem.SYNC);
    awaitChange();
    assertThat(endpoints()).containsExactly("10.244.0.2:8080");
    assertThat(node.position(node.image())).isEqualTo(Position.NONE);

    stream.send(two, StreamItem.SYNC);
    awaitChange();
    assertThat(endpoints()).containsExactly("10.244.0.2:8080", "10.244.0.3:8080");

    stream.send(StreamItem.delete(Set.EndpointsSet, "shop/cart/cart-1"), StreamItem.SYNC);
    awaitChange();
    assertThat(endpoints()).containsExactly("10.244.0.3:8080");
    stream.end();

    ScriptedServer<WatchReq>.Stream second = server.stream();
    assertThat(second.request().hasResume()).isFalse();
    second.send(
        StreamItem.RESET,
        StreamItem.set(Set.ServicesSet, "shop/cart", service),
        two,
        StreamItem.SYNC);
    second.request();
    assertThat(node.image().revision()).as("nothing differs").isEqualTo(3);
    second.send(
        StreamItem.delete(Set.EndpointsSet, "shop/cart/cart-2"),
        StreamItem.delete(Set.ServicesSet, "shop/cart"),
        StreamItem.SYNC);
    awaitChange();
    assertThat(node.image().services()).isEmpty();
  }

  private static Endpoint endpoint(String address) {
    return Endpoint.newBuilder()
        .setIPs(IPSet.newBuilder().addV4(address))
        .addPortOverrides(PortName.newBuilder().setName("http").setPort(8080))
        .setScopes(EndpointScopes.newBuilder().setInternal(true).setExternal(true))
        .build();
  }

  private List<String> endpoints() {
    return node
        .image()
        .service(new NamespacedName("shop", "cart"))
        .ports()
        .getFirst()
        .endpoints(Traffic.INTERNAL)
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void deletingAServiceByItsPathRemovesIt() throws Exception {
    world.service("cart", "10.96.0.1", "10.244.0.2");
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.whole(world.image(), 7, 1);
    assertHeld(1, new Position(7, 1));
    StreamItem delete = EncodedService.of(world.image().services().iterator().next()).delete();
    world.remove("cart");
    stream.send(delete).sync(7, 2);
    assertHeld(2, new Position(7, 2));
  }

  /** A stream whose server pushes, with its first state. */
  private ScriptedServer<WatchReq>.Stream pushing() throws InterruptedException {
    ScriptedServer<WatchReq>.Stream stream = server.stream();
    stream.request();
    stream.whole(world.image()).pushed(7, 1);
    assertHeld(1, new Position(7, 1));
    return stream;
  }

  private void awaitChange() throws InterruptedException {
    assertThat(changes.tryAcquire(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** The next change brings what the world holds. */
  private void assertHeld(long revision, Position position) throws InterruptedException {
    awaitChange();
    assertHeldNow(revision, position);
  }

  private void assertHeldNow(long revision, Position position) {
    assertThat(node.image().revision()).isEqualTo(revision);
    assertThat(node.image().sameAs(world.image())).isTrue();
    assertThat(node.position(node.image())).isEqualTo(position);
  }
}
