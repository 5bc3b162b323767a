package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.error.Failures;
import dev.portolan.testbase.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A recorder, when all goes well and when nothing does. */
@Timeout(180)
final class RecorderTest {
  private static final Duration RETRY = Duration.ofMillis(50);

  @TempDir private Path folder;
  private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());

  private List<ClusterImage> clusters(int count) {
    return Samples.events(9, count).stream()
        .filter(RecordedEvent.State.class::isInstance)
        .map(event -> ((RecordedEvent.State) event).cluster())
        .toList();
  }

  private Recorder recorder(RecordingTarget target) {
    return new Recorder(
        Samples.started(Samples.BEGIN), () -> target, InstantSource.system(), RETRY, warnings::add);
  }

  @Test
  void whatHappensIsRecordedInOrder() {
    Path file = folder.resolve("a.rec");
    List<ClusterImage> clusters = clusters(30);
    try (Recorder recorder = recorder(RecordingWriter.create(file))) {
      for (int i = 0; i < clusters.size(); i++) {
        recorder.taken(clusters.get(i), i + 1, Map.of("services", "" + i));
        recorder.synced(i + 1, Duration.ofMillis(3), i == 0, Optional.empty());
      }
      recorder.repaired(2, "nft");
      recorder.problem("away");
    }
    List<RecordedEvent> read = Samples.read(file);
    assertThat(warnings).isEmpty();
    assertThat(read).hasSize(1 + 2 * clusters.size() + 2);
    for (int i = 0; i < clusters.size(); i++) {
      RecordedEvent.State state = (RecordedEvent.State) read.get(1 + 2 * i);
      assertThat(state.cluster()).isEqualTo(Samples.kept(clusters.get(i)));
      assertThat(state.revision()).isEqualTo(i + 1);
      assertThat(state.changed()).isEqualTo(i > 0);
      assertThat(state.versions()).containsEntry("services", "" + i);
    }
  }

  @Test
  void theSameStateAgainIsNotWritten() {
    Path file = folder.resolve("a.rec");
    ClusterImage cluster = clusters(5).getLast();
    try (Recorder recorder = recorder(RecordingWriter.create(file))) {
      recorder.taken(cluster, 1, Map.of());
      recorder.taken(cluster, 1, Map.of());
    }
    assertThat(Samples.read(file)).hasSize(2);
  }

  @Test
  void aFailingDiskIsToldOnceAndTriedAgain() throws InterruptedException {
    Path file = folder.resolve("a.rec");
    FlakyTarget target = new FlakyTarget(RecordingWriter.create(file));
    List<ClusterImage> clusters = clusters(40);
    try (Recorder recorder = recorder(target)) {
      for (int i = 0; i < clusters.size(); i++) {
        if (i == 10) {
          target.await(10);
          target.full = true;
        }
        recorder.taken(clusters.get(i), i + 1, Map.of());
      }
      Await.until("a warning", () -> !warnings.isEmpty());
      target.full = false;
      Await.until("another", () -> warnings.size() >= 2);
    }
    assertThat(warnings)
        .containsExactly(
            "the disk is full; nothing is recorded until that works, which is tried every 0"
                + " seconds; traffic is not affected [PORT-105]",
            "recording again");
    List<RecordedEvent> read = Samples.read(file);
    assertThat(read)
        .last()
        .isInstanceOfSatisfying(
            RecordedEvent.Problem.class,
            problem ->
                assertThat(problem.sentence())
                    .matches("not recorded since .*: up to \\d+ events?; the disk is full"));
    assertThat(read.get(read.size() - 2))
        .isInstanceOfSatisfying(
            RecordedEvent.State.class,
            state -> assertThat(state.cluster()).isEqualTo(Samples.kept(clusters.getLast())));
  }

  @Test
  void aFolderThatIsRemovedIsToldAndMadeAgainWhateverTheClockSays() throws Exception {
    Path own = folder.resolve("own");
    AtomicReference<Instant> now = new AtomicReference<>(Samples.BEGIN);
    List<ClusterImage> clusters = clusters(40);
    try (Recorder recorder =
        new Recorder(
            Samples.started(Samples.BEGIN),
            () ->
                RecordingFolder.open(
                    own, new RecordingFolder.Bounds(1 << 20, Duration.ZERO), now::get),
            now::get,
            RETRY,
            warnings::add)) {
      recorder.taken(clusters.getFirst(), 1, Map.of());
      Await.until("a part", () -> hasPart(own));
      try (Stream<Path> files = Files.walk(own)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
      for (int i = 1; warnings.size() < 2; i = i % 30 + 1) {
        recorder.taken(clusters.get(i), i + 1, Map.of());
        Thread.sleep(5);
        if (warnings.size() == 1) {
          now.set(Samples.BEGIN.minus(Duration.ofDays(5)));
        }
      }
      recorder.taken(clusters.getLast(), 99, Map.of());
    }
    assertThat(warnings.getFirst())
        .matches(
            ".*/own/.*\\.rec was removed while it was written; nothing is recorded until that"
                + " works, which is tried every 0 seconds; traffic is not affected \\[PORT-105\\]");
    assertThat(warnings.getLast()).isEqualTo("recording again");
    assertThat(Samples.read(own))
        .last()
        .isInstanceOfSatisfying(
            RecordedEvent.State.class,
            state -> assertThat(state.cluster()).isEqualTo(Samples.kept(clusters.getLast())));
  }

  private static boolean hasPart(Path own) {
    try {
      return Recording.open(own).bytes() > 100;
    } catch (RecordingException e) {
      return false;
    }
  }

  private static List<Throwable> unexpected() {
    return List.of(new IllegalStateException("a bug"), new StackOverflowError("a bug"));
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void anUnexpectedFailureDoesNotEndIt(Throwable failure) throws Exception {
    Path file = folder.resolve("a.rec");
    FlakyTarget target = new FlakyTarget(RecordingWriter.create(file));
    List<ClusterImage> clusters = clusters(2);
    AtomicInteger opened = new AtomicInteger();
    try (Recorder recorder =
        new Recorder(
            Samples.started(Samples.BEGIN),
            () -> {
              if (opened.getAndIncrement() > 0) {
                return target;
              }
              switch (failure) {
                case Error e -> throw e;
                default -> throw (RuntimeException) failure;
              }
            },
            InstantSource.system(),
            RETRY,
            warnings::add)) {
      while (warnings.size() < 2) {
        recorder.taken(clusters.get(warnings.size()), warnings.size() + 1, Map.of());
        Thread.sleep(5);
      }
    }
    assertThat(warnings.getFirst()).contains("a bug; nothing is recorded until that works");
    assertThat(Failures.ofProcess().counts()).containsKey("recorder");
  }

  @Test
  void aFailureThatCannotBeToldDoesNotEndItEither() {
    Path own = folder.resolve("own");
    AtomicInteger told = new AtomicInteger();
    AtomicInteger opened = new AtomicInteger();
    List<ClusterImage> clusters = clusters(2);
    try (Recorder recorder =
        new Recorder(
            Samples.started(Samples.BEGIN),
            () -> {
              if (opened.getAndIncrement() == 0) {
                throw new RecordingException("the disk is full");
              }
              return RecordingWriter.create(own);
            },
            InstantSource.system(),
            RETRY,
            _ -> {
              int _ = told.incrementAndGet();
              throw new StackOverflowError("a test");
            })) {
      Await.until("a warning", () -> told.get() > 0);
      Await.until("another attempt", () -> opened.get() > 1);
      recorder.taken(clusters.getLast(), 1, Map.of());
    }
    assertThat(Samples.read(own))
        .last()
        .isInstanceOfSatisfying(
            RecordedEvent.State.class,
            state -> assertThat(state.cluster()).isEqualTo(Samples.kept(clusters.getLast())));
  }

  @Test
  void whoeverIsRecordedNeverWaits() throws InterruptedException {
    Path file = folder.resolve("a.rec");
    FlakyTarget target = new FlakyTarget(RecordingWriter.create(file));
    CountDownLatch slow = new CountDownLatch(1);
    target.blocked = slow;
    List<ClusterImage> clusters = clusters(2);
    try (Recorder recorder = recorder(target)) {
      for (int i = 0; i < 20_000; i++) {
        recorder.taken(clusters.get(i % 2), i + 1, Map.of());
      }
      slow.countDown();
      target.await(1000);
      recorder.taken(clusters.getLast(), 99_999, Map.of());
    }
    List<RecordedEvent> read = Samples.read(file);
    assertThat(read.stream().filter(RecordedEvent.Problem.class::isInstance))
        .isNotEmpty()
        .allSatisfy(problem ->
            assertThat(((RecordedEvent.Problem) problem).sentence())
                .endsWith("not recorded: more happened than could be written"));
  }

  /** A target whose disk is full, or slow, for as long as a test wants. */
  private static final class FlakyTarget implements RecordingTarget {
    private final RecordingTarget target;
    private volatile boolean full;
    private volatile CountDownLatch blocked = new CountDownLatch(0);
    private final AtomicInteger count = new AtomicInteger();

    FlakyTarget(RecordingTarget target) {
      this.target = target;
    }

    void await(int entries) {
      Await.until("entries", () -> count.get() >= entries);
    }

    @Override
    public void write(RecordedEvent event) {
      try {
        boolean _ = blocked.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (full) {
        throw new RecordingException("the disk is full");
      }
      target.write(event);
      int _ = count.incrementAndGet();
    }

    @Override
    public void alive(Instant now) {
      if (full) {
        throw new RecordingException("the disk is full");
      }
      target.alive(now);
    }

    @Override
    public long bytes() {
      return target.bytes();
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
