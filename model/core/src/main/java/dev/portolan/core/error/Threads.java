package dev.portolan.core.error;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/**
 * Where every thread of the program is started: whatever one throws is counted and reported as a
 * failure of its place, and what is to last begins again after a pause.
 */
public final class Threads {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final String place;
  private final Thread.Builder builder;
  private final Failures failures;
  private boolean lasting;

  /** What a thread does. It ends silently if it is interrupted. */
  public interface Work {
    /** Does it. */
    void run() throws InterruptedException;
  }

  Threads(String place, Thread.Builder builder, Failures failures) {
    this.place = place;
    this.builder = builder.name(place);
    this.failures = failures;
  }

  /** Virtual threads; {@code place} is one of a few words, as it is a label of a metric. */
  public static Threads virtual(String place) {
    return new Threads(place, Thread.ofVirtual(), Failures.ofProcess());
  }

  /**
   * Threads of the operating system; they do not keep the process from ending.
   *
   * @param place as with {@link #virtual}
   */
  public static Threads platform(String place) {
    return new Threads(place, Thread.ofPlatform().daemon(), Failures.ofProcess());
  }

  /** Sleeps; returns whether nothing interrupted it. The thread stays interrupted. */
  public static boolean pause(Duration time) {
    try {
      Thread.sleep(time);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Names the threads otherwise than their place. */
  public Threads named(String name) {
    builder.name(name);
    return this;
  }

  /**
   * Work that throws begins again after a pause, which grows exponentially, until it returns or is
   * interrupted.
   */
  public Threads lasting() {
    lasting = true;
    return this;
  }

  /** Starts a thread. */
  public Thread start(Work work) {
    Thread thread = unstarted(work);
    thread.start();
    return thread;
  }

  /** A thread that its caller starts. */
  public Thread unstarted(Work work) {
    return builder.unstarted(() -> run(work));
  }

  /** A thread for each task. */
  public ExecutorService perTask() {
    return Executors.newThreadPerTaskExecutor(factory());
  }

  /** A fixed number of threads for all tasks. */
  public ExecutorService pool(int size) {
    return Executors.newFixedThreadPool(size, factory());
  }

  /** One thread for tasks that are done later, or again and again whatever they throw. */
  public ScheduledExecutorService timer() {
    return new GuardedTimer(factory(), task -> () -> run(task::run));
  }

  /** Threads for a library. */
  public ThreadFactory factory() {
    return task -> unstarted(task::run);
  }

  /** Threads for a library that wants its own kind. */
  public ThreadFactory factory(ThreadFactory kind) {
    return task -> kind.newThread(() -> run(task::run));
  }

  private void run(Work work) {
    Duration pause = FIRST_PAUSE;
    try {
      while (true) {
        long begin = failures.now();
        if (attempt(work) || !lasting) {
          return;
        }
        if (failures.now() - begin > LONGEST_PAUSE.toNanos()) {
          pause = FIRST_PAUSE;
        }
        Thread.sleep(pause);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
      }
    } catch (InterruptedException e) {
      // It was stopped.
    }
  }

  /** Returns whether it came to its end. */
  private boolean attempt(Work work) throws InterruptedException {
    try {
      work.run();
      return true;
    } catch (RuntimeException | Error e) {
      failures.add(place, e);
      return false;
    }
  }
}
