package dev.portolan.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.brain.Brain;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.node.NodeDelta;
import dev.portolan.core.node.NodeImage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SyncLoopTest {
  private static final int PATIENCE_SECONDS = 20;

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("here", NodeSettings.DEFAULT);
  private final FakeBackend backend = new FakeBackend();
  private final Told told = new Told();
  private SyncLoop loop = new SyncLoop(view, backend, Pace.DEFAULT, told);
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private Thread thread;

  @AfterEach
  void stop() throws InterruptedException {
    if (thread != null) {
      backend.permits.release(1000);
      thread.interrupt();
      thread.join(Duration.ofSeconds(PATIENCE_SECONDS));
      assertThat(thread.isAlive()).isFalse();
    }
  }

  @Test
  void nothingIsAppliedBeforeTheClusterIsKnown() {
    loop.once();
    assertThat(backend.synced).isEmpty();
  }

  @Test
  void theFirstSyncBringsTheWholeState() {
    zone("a");
    loop.once();

    assertThat(backend.synced).hasSize(1);
    assertThat(backend.synced.getFirst().fromRevision()).isZero();
    assertThat(told.applied).containsExactly("0 to 1");
  }

  @Test
  void whatDidNotChangeIsNotAppliedAgain() {
    zone("a");
    loop.once();
    loop.once();
    zone("a");
    loop.once();

    assertThat(backend.synced).hasSize(1);
  }

  @Test
  void severalChangesAreOneDelta() {
    zone("a");
    loop.once();
    zone("b");
    zone("c");
    loop.once();

    assertThat(told.applied).containsExactly("0 to 1", "1 to 3");
    NodeDelta delta = backend.synced.getLast();
    assertThat(delta.facts().orElseThrow().zone()).isEqualTo("c");
  }

  @Test
  void afterAFailureTheDeltaLeadsFromTheLastSuccess() {
    zone("a");
    loop.once();
    zone("b");
    backend.fail(1);
    assertThatThrownBy(loop::once).isInstanceOf(BackendException.class).hasMessage("out of order");
    zone("c");
    loop.once();

    assertThat(told.applied).containsExactly("0 to 1", "1 to 3");
  }

  @Test
  void itFollowsTheView() throws InterruptedException {
    run();
    zone("a");
    told.await(1);
    zone("b");
    told.await(1);

    assertThat(told.applied).containsExactly("0 to 1", "1 to 2");
  }

  @Test
  void whatChangesDuringASyncIsTheNextOne() throws InterruptedException {
    backend.hold();
    run();
    zone("a");
    acquire(backend.attempts, 1);
    zone("b");
    zone("c");
    zone("d");
    backend.permits.release(2);
    told.await(2);

    assertThat(told.applied).containsExactly("0 to 1", "1 to 4");
  }

  @Test
  void aFailedSyncIsTriedAgainEverMoreSlowly() throws InterruptedException {
    backend.fail(3);
    run();
    zone("a");
    told.await(1);

    assertThat(told.pauses)
        .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
    assertThat(told.applied).containsExactly("0 to 1");

    backend.fail(1);
    zone("b");
    told.await(1);
    assertThat(told.pauses).hasSize(4).last().isEqualTo(Duration.ofMillis(100));
    assertThat(told.applied).containsExactly("0 to 1", "1 to 2");
  }

  @Test
  void betweenTwoSyncsThereIsAPause() throws InterruptedException {
    Duration pause = Duration.ofMillis(300);
    loop = new SyncLoop(view, backend, new Pace(pause, pause, Duration.ofHours(1)), told);
    run();
    zone("a");
    told.await(1);
    long ended = System.nanoTime();
    zone("b");
    zone("c");
    told.await(1);

    assertThat(System.nanoTime() - ended).isGreaterThan(pause.toNanos() / 2);
    assertThat(told.applied).containsExactly("0 to 1", "1 to 3");
  }

  @Test
  void onceInAWhileEverythingIsSynced() throws InterruptedException {
    Duration often = Duration.ofMillis(20);
    loop = new SyncLoop(view, backend, new Pace(Duration.ZERO, often, often), told);
    run();
    zone("a");
    told.await(3);

    assertThat(told.applied).startsWith("0 to 1", "0 to 1", "0 to 1");
  }

  @Test
  void anInterruptEndsIt() throws InterruptedException {
    run();
    zone("a");
    told.await(1);
    thread.interrupt();
    thread.join(Duration.ofSeconds(PATIENCE_SECONDS));

    assertThat(interrupted).isTrue();
    zone("b");
    assertThat(told.applied).containsExactly("0 to 1");
  }

  private void zone(String zone) {
    Node node = new Node("here", List.of(), List.of(), zone, List.of(), false);
    brain.apply(ClusterDelta.builder().set(node).build());
  }

  private void run() {
    thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                loop.run();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
            });
  }

  private static void acquire(Semaphore semaphore, int permits) throws InterruptedException {
    assertThat(semaphore.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** What the listener was told. */
  private static final class Told implements SyncLoop.Listener {
    private final List<String> applied = new CopyOnWriteArrayList<>();
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private final Semaphore syncs = new Semaphore(0);

    void await(int count) throws InterruptedException {
      acquire(syncs, count);
    }

    @Override
    public void applied(NodeImage before, NodeImage after, NodeDelta delta, Duration took) {
      assertThat(delta.fromRevision()).isEqualTo(before.revision());
      assertThat(delta.toRevision()).isEqualTo(after.revision());
      applied.add(before.revision() + " to " + after.revision());
      syncs.release();
    }

    @Override
    public void failed(BackendException failure, Duration pause) {
      pauses.add(pause);
    }
  }
}
