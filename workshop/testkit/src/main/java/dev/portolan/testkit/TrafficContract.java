package dev.portolan.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.lab.Namespace;
import dev.portolan.lab.Probe;
import dev.portolan.lab.Reply;
import dev.portolan.packets.BackendUnderTest;
import dev.portolan.packets.Churn;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import dev.portolan.packets.Small;
import dev.portolan.packets.Vigil;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import dev.portolan.testbase.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every backend for a kernel must guarantee to connections while its rules change. */
public abstract class TrafficContract {
  /** The nodePort of {@link #withNodePort}. */
  protected static final int NODE_PORT = 30_099;

  private static final NodeSettings EVERYWHERE =
      NodeSettings.DEFAULT.with(NodePortChoice.parse(List.of("all")));

  protected Lab lab;

  /** It has the cluster of the packet tables. */
  protected NodeUnderTest node;

  /** The backend. */
  protected abstract BackendUnderTest backend();

  /** How many changes the backend makes in some seconds. */
  protected abstract int changes();

  /** Fails if the kernel has anything that is not in the node's image. */
  protected abstract void assertNothingStale();

  @BeforeEach
  void build() {
    lab = Lab.open();
    node = new NodeUnderTest(lab.node(), backend(), NodeSettings.DEFAULT);
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
  }

  @AfterEach
  void tearDown() {
    node.close();
    assertNothingLeft();
    lab.close();
  }

  /** Fails where the kernel holds anything of a backend that has cleaned up. */
  protected abstract void assertNothingLeft();

  /**
   * Whether a client is forgotten when it was away for the time of its affinity; otherwise the
   * kernel remembers it for as long as it remembers a connection of this client.
   */
  protected boolean forgetsClientsOnTime() {
    return true;
  }

  /** What happens to connections that nothing may disturb, if the backend does all that it can. */
  protected List<Packet> watched() {
    return Vigil.usual();
  }

  /** Fails where a client noticed more of a restart than the backend allows for. */
  protected void assertRestartsUnnoticed(List<Vigil.Failure> failures) {
    assertThat(failures).isEmpty();
  }

  /**
   * What the keeper does when the addresses of the node have changed; nothing where the kernel
   * looks them up for each connection.
   */
  protected void addressesChanged(NodeUnderTest changed) {}

  /** Lets a keeper look after what the node has, with a backend of its own. */
  protected Guard guard(BackendUnderTest maker) {
    return new Guard(lab.node(), node.image(), maker);
  }

  /** A keeper at work; no repair may fail. */
  protected static final class Guard implements Observer, AutoCloseable {
    private final AtomicInteger repairs = new AtomicInteger();
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicReference<@Nullable BackendException> failure = new AtomicReference<>();
    private final Keeper keeper;
    private final Thread thread;

    private Guard(Namespace namespace, NodeImage image, BackendUnderTest maker) {
      keeper =
          namespace.call(
              () -> new Keeper(NodeFeed.still(image), maker.open(), Keeper.Options.DEFAULT, this));
      thread = Thread.ofPlatform().daemon().start(() -> namespace.run(this::keep));
      try {
        started.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void keep() {
      try {
        keeper.run();
      } catch (InterruptedException e) {
        // It was closed.
      }
    }

    /** Waits until there were more than {@code before} repairs; returns how many there were. */
    public int awaitMore(int before) {
      return Await.until(
          "another repair",
          () -> {
            assertThat(failure.get()).isNull();
            return repairs.get();
          },
          now -> now > before);
    }

    @Override
    public void applied(NodeChange change, Duration took) {
      started.countDown();
    }

    @Override
    public void repaired(int objects, String cause) {
      repairs.incrementAndGet();
    }

    @Override
    public void contested(int count, String cause, Duration pause) {
      repairs.incrementAndGet();
    }

    @Override
    public void notRepaired(BackendException why) {
      failure.set(why);
    }

    @Override
    public void close() {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      keeper.close();
    }
  }

  /** A node of one service that has a nodePort on all addresses. */
  protected NodeUnderTest withNodePort() {
    NodeUnderTest all = new NodeUnderTest(lab.node(), backend(), EVERYWHERE);
    all.apply(
        ClusterDelta.builder()
            .set(Small.service(NODE_PORT, 0))
            .set(Small.slice(Actor.PODS))
            .build());
    return all;
  }

  @Test
  void nobodyNoticesChangesToOthers() {
    Churn.Report report = new Churn(1).run(lab, node, watched(), changes(), step -> {});
    assertThat(report.failures()).isEmpty();
    assertThat(report.probes()).isGreaterThanOrEqualTo(Math.min(50, changes()));
    assertNothingStale();
  }

  @Test
  void nobodyNoticesThatTheProcessEndsAtRandomAndStartsAgain() {
    Random random = new Random(7);
    Churn.Report report =
        new Churn(2)
            .run(
                lab,
                node,
                watched(),
                changes() / 4,
                step -> {
                  if (random.nextInt(5) == 0) {
                    node.restart();
                  }
                });
    assertRestartsUnnoticed(report.failures());
    assertNothingStale();
  }

  @Test
  void endpointsComeAndGoUnderConnectionsAndNoneIsRefused() {
    node.apply(ClusterDelta.builder().set(Small.service()).set(Small.slice(Actor.PODS)).build());
    List<Reply> replies =
        askedWhile(
            Small.ADDRESS,
            soFar -> {
              long begin = System.nanoTime();
              for (int i = 0; i < changes() || !isEnough(soFar, begin); i++) {
                int count = 1 + i % Actor.PODS.size();
                node.apply(ClusterDelta.builder().set(Small.slice(count)).build());
              }
            });
    assertThat(replies)
        .hasSizeGreaterThan(atLeast())
        .allSatisfy(reply -> assertThat(reply).isInstanceOf(Reply.Answered.class));
  }

  private int atLeast() {
    return Math.min(50, changes());
  }

  /**
   * A client that got many replies is asked for three seconds, one on a busy machine for longer.
   */
  private boolean isEnough(List<Reply> replies, long begin) {
    Duration passed = Duration.ofNanos(System.nanoTime() - begin);
    return passed.compareTo(replies.size() > atLeast() ? Duration.ofSeconds(3) : Await.PATIENCE)
        > 0;
  }

  /** The replies to a pod that connects again and again while something happens. */
  protected List<Reply> askedWhile(Ip address, Consumer<List<Reply>> happening) {
    AtomicBoolean over = new AtomicBoolean();
    List<Reply> replies = Collections.synchronizedList(new ArrayList<>());
    Thread client =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                replies.add(lab.probe(Actor.POD_A3).ask(Protocol.TCP, address, 80));
              }
            });
    try {
      happening.accept(replies);
    } finally {
      over.set(true);
      join(client);
    }
    return replies;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aClientSticksUntilTheTimeIsOverOrTheEndpointGoes() throws InterruptedException {
    node.apply(
        ClusterDelta.builder().set(Small.service(0, 3_600)).set(Small.slice(Actor.PODS)).build());
    String first = answer();
    for (int i = 0; i < 20; i++) {
      assertThat(answer()).isEqualTo(first);
    }
    List<Actor> others = Actor.PODS.stream().filter(pod -> !pod.toString().equals(first)).toList();
    node.apply(ClusterDelta.builder().set(Small.slice(others)).build());
    String second = answer();
    assertThat(second).isNotEqualTo(first);
    assertThat(answer()).isEqualTo(second);
    if (!forgetsClientsOnTime()) {
      return;
    }
    node.apply(ClusterDelta.builder().set(Small.service(0, 2)).build());
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 20 && seen.size() < 2; i++) {
      Thread.sleep(2_500);
      seen.add(answer());
    }
    assertThat(seen).as("after the time is over, another endpoint is drawn").hasSizeGreaterThan(1);
  }

  private String answer() {
    Reply reply = lab.probe(Actor.POD_A3).ask(Protocol.TCP, Small.ADDRESS, 80);
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    return ((Reply.Answered) reply).name();
  }

  @Test
  void anAddressThatTheNodeGetsServesNodePortsAtOnce() {
    Ip fresh = Ip.of("172.18.0.99");
    try (NodeUnderTest all = withNodePort()) {
      lab.node().exec("ip", "address", "add", "172.18.0.99/32", "dev", "lo");
      addressesChanged(all);
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, fresh, NODE_PORT))
          .isInstanceOf(Reply.Answered.class);
      lab.node().exec("ip", "address", "delete", "172.18.0.99/32", "dev", "lo");
      addressesChanged(all);
      assertThat(lab.probe(Actor.OUTSIDE).ask(Protocol.TCP, fresh, NODE_PORT, Probe.SHORT))
          .isNotInstanceOf(Reply.Answered.class);
    }
  }

  /** Fails if a client noticed a disturbance. */
  protected void assertHealed() throws InterruptedException {
    Vigil healed = Vigil.over(lab, watched());
    Await.until("50 connections", () -> healed.probes() >= 50);
    healed.close();
    assertThat(healed.failures()).isEmpty();
    assertNothingStale();
  }
}
