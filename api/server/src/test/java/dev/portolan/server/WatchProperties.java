package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.portolan.api.EncodedEndpoint;
import dev.portolan.api.EncodedService;
import dev.portolan.api.Methods;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Position;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Whatever changes and whatever is cut: at each Sync a client holds exactly one state. */
class WatchProperties {
  private static final WatchReq OWN =
      WatchReq.newBuilder()
          .setNodeName("n1")
          .addSets(Set.ServicesSet)
          .addSets(Set.NodeFactsSet)
          .build();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static Rig rig() {
    Address address = new Address.InProcess("properties-" + NAMES.incrementAndGet());
    return new Rig(Options.builder().listen(ListenAddress.plain(address)));
  }

  /** Changes come from another thread while a client reads, is cut off, and comes back. */
  @Property(tries = 60)
  void whatIsHeldIsTheImageOfTheRevisionThatWasSaid(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    WatchReq own = OWN.toBuilder().setBatchBytes(random.nextInt(3) * 1000).build();
    try (Rig rig = rig()) {
      rig.brain.apply(ClusterDelta.EMPTY);
      NodeView view = rig.brain.open("n1", NodeSettings.DEFAULT);
      Map<Long, NodeImage> images = new ConcurrentHashMap<>();
      view.onChange(() -> images.put(view.image().revision(), view.image()));
      images.put(1L, view.image());

      ManagedChannel channel = rig.channel();
      RawStream<WatchReq> stream = RawStream.open(channel, Methods.LOCAL_WATCH);
      Held held = new Held();
      Position position = check(held, stream.ask(own), images);
      Thread writer = Thread.startVirtualThread(changes(rig, random.nextLong()));
      for (int i = 0; i < 12; i++) {
        if (writer.isAlive() || position.getRevision() < view.image().revision()) {
          stream.send(own);
          if (random.nextBoolean()) {
            // Cut in the middle: part of a change set is lost, and what was complete counts.
            stream.request(random.nextInt(3));
            stream.close();
            stream = RawStream.open(channel, Methods.LOCAL_WATCH);
            boolean resumes = random.nextInt(4) > 0;
            position =
                check(
                    held,
                    stream.ask(resumes ? own.toBuilder().setResume(position).build() : own),
                    images);
          } else if (position.getRevision() < view.image().revision()) {
            position = check(held, stream.changeSet(), images);
          }
        }
      }
      writer.join();
      stream.close();
      stream = RawStream.open(channel, Methods.LOCAL_WATCH);
      position = check(held, stream.ask(own.toBuilder().setResume(position).build()), images);
      assertThat(position.getRevision()).isEqualTo(view.image().revision());
      stream.close();
    }
  }

  /** The same for a client that is sent what changes as it comes, on nodes of several zones. */
  @Property(tries = 60)
  void whatIsPushedIsTheImageOfTheRevisionThatWasSaid(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    String node = "n" + random.nextInt(3);
    WatchReq own =
        OWN.toBuilder()
            .setNodeName(node)
            .setBatchBytes(random.nextBoolean() ? 1 << 20 : random.nextInt(3) * 1000)
            .setPush(true)
            .setGzip(random.nextBoolean())
            .build();
    try (Rig rig = rig()) {
      rig.brain.apply(ClusterDelta.EMPTY);
      NodeView view = rig.brain.open(node, NodeSettings.DEFAULT);
      Map<Long, NodeImage> images = new ConcurrentHashMap<>();
      view.onChange(() -> images.put(view.image().revision(), view.image()));
      images.put(1L, view.image());

      RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
      Held held = new Held();
      Position position = check(held, stream.ask(own), images);
      Thread writer = Thread.startVirtualThread(changes(rig, random.nextLong()));
      while (writer.isAlive() || position.getRevision() < view.image().revision()) {
        if (random.nextInt(4) == 0) {
          stream.close();
          stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
          boolean resumes = random.nextBoolean();
          position =
              check(
                  held,
                  stream.ask(resumes ? own.toBuilder().setResume(position).build() : own),
                  images);
        } else if (position.getRevision() < view.image().revision()) {
          position = check(held, stream.changeSet(), images);
        }
      }
      stream.close();
    }
  }

  private static Runnable changes(Rig rig, long seed) {
    RandomChanges changes = new RandomChanges(new Random(seed));
    return () -> {
      for (int i = 0; i < 25; i++) {
        rig.brain.apply(changes.next());
        LockSupport.parkNanos(50_000);
      }
    };
  }

  private static Position check(Held held, List<OpItem> changeSet, Map<Long, NodeImage> images)
      throws Exception {
    held.take(changeSet);
    Position position = changeSet.getLast().getChange().getPosition();
    Await.until("revision", () -> images.containsKey(position.getRevision()));
    NodeImage image = images.get(position.getRevision());
    assertThat(held.image().sameAs(image)).as("revision " + position.getRevision()).isTrue();
    return position;
  }

  /** The same for one of KPNG, which also moves from node to node. */
  @Property(tries = 60)
  void whatKpngHoldsIsAllServicesAndTheirEndpoints(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    RandomChanges changes = new RandomChanges(random);
    try (Rig rig = rig()) {
      rig.brain.apply(ClusterDelta.EMPTY);
      RawStream<WatchReq> stream = RawStream.open(rig.channel(), Methods.LOCAL_WATCH);
      Held held = new Held();
      for (int i = 0; i < 12; i++) {
        String node = "n" + i % 3;
        rig.brain.apply(changes.next());
        held.take(stream.ask(WatchReq.newBuilder().setNodeName(node).build()));
        try (NodeView view = rig.brain.open(node, NodeSettings.DEFAULT)) {
          assertThat(held.values()).isEqualTo(expected(view.image(), node));
        }
      }
      stream.close();
    }
  }

  private static Map<String, ByteString> expected(NodeImage image, String node) {
    Map<String, ByteString> values = new TreeMap<>();
    for (NodeService service : image.services()) {
      EncodedService encoded = EncodedService.of(service);
      put(values, encoded.set().message());
      for (EncodedEndpoint endpoint : encoded.endpoints()) {
        put(values, endpoint.set(node).message());
      }
    }
    return values;
  }

  private static void put(Map<String, ByteString> values, OpItem item) {
    values.put(
        item.getSet().getRef().getSet() + " " + item.getSet().getRef().getPath(),
        item.getSet().getBytes());
  }
}
