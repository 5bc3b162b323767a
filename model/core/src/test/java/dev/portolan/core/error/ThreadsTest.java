package dev.portolan.core.error;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Await;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever any kind of thread throws is counted and reported, and what is to last goes on. */
final class ThreadsTest {
  private final Failures failures = new Failures(System::nanoTime);
  private final BlockingQueue<String> reported = new LinkedBlockingQueue<>();

  ThreadsTest() {
    failures.listen((place, failure, _) -> reported.add(place + ": " + name(failure)));
  }

  /** What no thread of ours is expected to throw. */
  static Stream<Throwable> unexpected() {
    return Stream.of(
        new IllegalStateException("a bug"),
        new NumberFormatException("a hostile text"),
        new StackOverflowError("a deep text"),
        new AssertionError("a broken promise"),
        new NoClassDefFoundError("a class without a file descriptor"));
  }

  private static String name(Throwable failure) {
    return failure.getClass().getSimpleName();
  }

  private Threads virtual() {
    return new Threads("a place", Thread.ofVirtual(), failures);
  }

  private Threads platform() {
    return new Threads("a place", Thread.ofPlatform().daemon(), failures);
  }

  private void assertReported(Throwable failure, int times) throws InterruptedException {
    assertThat(Await.next(reported)).isEqualTo("a place: " + name(failure));
    long _ = Await.until("the failures", () -> failures.counts().get("a place"), n -> n >= times);
  }

  private static void raise(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void whatIsDoneOnceIsReported(Throwable failure) throws InterruptedException {
    for (Threads threads : List.of(virtual(), platform())) {
      threads.start(() -> raise(failure)).join();
    }
    assertReported(failure, 2);
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void whatIsToLastBeginsAgain(Throwable failure) throws InterruptedException {
    for (Threads threads : List.of(virtual(), platform())) {
      AtomicInteger runs = new AtomicInteger();
      CountDownLatch third = new CountDownLatch(1);
      threads
          .lasting()
          .start(() -> {
            if (runs.incrementAndGet() < 3) {
              raise(failure);
            }
            third.countDown();
          })
          .join();
      assertThat(third.getCount()).isZero();
    }
    assertReported(failure, 4);
  }

  @Test
  void whatIsToLastEndsWhereItIsInterrupted() throws InterruptedException {
    for (BiConsumer<Threads, CountDownLatch> thread : endless()) {
      CountDownLatch begun = new CountDownLatch(1);
      thread.accept(virtual().lasting(), begun);
    }
  }

  /** Work that waits, and work that fails forever and is found in a pause. */
  private static List<BiConsumer<Threads, CountDownLatch>> endless() {
    return List.of(
        (threads, begun) ->
            end(
                threads.start(() -> {
                  begun.countDown();
                  Thread.sleep(MINUTES.toMillis(5));
                }),
                begun),
        (threads, begun) ->
            end(
                threads.start(() -> {
                  begun.countDown();
                  throw new IllegalStateException("again");
                }),
                begun));
  }

  private static void end(Thread thread, CountDownLatch begun) {
    try {
      assertThat(begun.await(1, MINUTES)).isTrue();
      thread.interrupt();
      thread.join(MINUTES.toMillis(1));
      assertThat(thread.isAlive()).isFalse();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void aPeriodicTaskGoesOn(Throwable failure) throws InterruptedException {
    try (ScheduledExecutorService timer = platform().timer()) {
      CountDownLatch rated = new CountDownLatch(3);
      CountDownLatch delayed = new CountDownLatch(3);
      CountDownLatch later = new CountDownLatch(1);
      var _ = timer.scheduleAtFixedRate(() -> countAndRaise(rated, failure), 1, 1, MILLISECONDS);
      var _ =
          timer.scheduleWithFixedDelay(() -> countAndRaise(delayed, failure), 1, 1, MILLISECONDS);
      var _ = timer.schedule(() -> countAndRaise(later, failure), 1, MILLISECONDS);
      for (CountDownLatch latch : List.of(rated, delayed, later)) {
        assertThat(latch.await(1, MINUTES)).isTrue();
      }
      assertReported(failure, 4);
      timer.shutdownNow();
    }
  }

  private static void countAndRaise(CountDownLatch latch, Throwable failure) {
    latch.countDown();
    raise(failure);
  }

  @ParameterizedTest
  @MethodSource("unexpected")
  void whatAnExecutorDoesIsReportedAndWhatIsAskedForIsHandedOver(Throwable failure)
      throws InterruptedException {
    try (ExecutorService perTask = virtual().perTask();
        ExecutorService pool = platform().pool(1);
        ExecutorService foreign =
            Executors.newSingleThreadExecutor(platform().factory(Thread::new))) {
      for (ExecutorService executor : List.of(perTask, pool, foreign)) {
        executor.execute(() -> raise(failure));
        Future<?> task = executor.submit(() -> raise(failure));
        assertThatThrownBy(() -> task.get(1, MINUTES))
            .isInstanceOf(ExecutionException.class)
            .hasCause(failure);
      }
    }
    assertReported(failure, 3);
    assertThat(failures.counts()).containsEntry("a place", 3L);
  }

  @Test
  void aLackOfMemoryIsForTheProcess() throws InterruptedException {
    AtomicReference<Throwable> passed = new AtomicReference<>();
    Thread thread =
        platform()
            .lasting()
            .unstarted(() -> {
              throw new OutOfMemoryError("none left");
            });
    thread.setUncaughtExceptionHandler((_, e) -> passed.set(e));
    thread.start();
    thread.join();
    assertThat(passed.get()).isInstanceOf(OutOfMemoryError.class);
    assertThat(failures.counts()).isEmpty();
  }
}
