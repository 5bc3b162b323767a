package dev.portolan.terminal;

import dev.portolan.core.error.Threads;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Prints after a moment what a command waits for or is busy with, so that none seems to hang. On a
 * terminal it is a line that counts the seconds and disappears at the end.
 */
public final class Waiting implements AutoCloseable {
  private static final Duration MOMENT = Duration.ofSeconds(2);
  private static final Duration TICK = Duration.ofMillis(250);

  private final StatusLine status;
  private final Thread thread;

  private Waiting(
      Supplier<String> sentence, StatusLine status, Duration moment, Consumer<String> elsewhere) {
    this.status = status;
    this.thread =
        Threads.virtual("waiting")
            .unstarted(() -> {
              try {
                Thread.sleep(moment);
                if (status.isVisible()) {
                  count(sentence, moment);
                } else {
                  elsewhere.accept(sentence.get());
                }
              } catch (InterruptedException e) {
                // What was waited for is there.
              }
            });
  }

  /**
   * Starts to wait; {@code sentence} is asked for when the moment is over. Without a terminal it is
   * printed once.
   */
  public static Waiting announce(Supplier<String> sentence, Remarks remarks) {
    return start(sentence, remarks.status(), MOMENT, remarks::say);
  }

  /** Starts to work on something that ends by itself; shown on a terminal only. */
  public static Waiting busy(Supplier<String> activity, Remarks remarks) {
    return start(activity, remarks.status(), MOMENT, elsewhere -> {});
  }

  static Waiting start(
      Supplier<String> sentence, StatusLine status, Duration moment, Consumer<String> elsewhere) {
    Waiting waiting = new Waiting(sentence, status, moment, elsewhere);
    status.enter(waiting);
    waiting.thread.start();
    return waiting;
  }

  /** Shows for how long it takes already, until it is interrupted. */
  private void count(Supplier<String> sentence, Duration already) throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      Duration since = already.plusNanos(System.nanoTime() - start);
      status.show(this, sentence.get() + " (" + since.toSeconds() + " s)");
      Thread.sleep(TICK);
    }
  }

  /** What was waited for is there; the line is gone when this returns. */
  @Override
  public void close() {
    thread.interrupt();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    status.leave(this);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
