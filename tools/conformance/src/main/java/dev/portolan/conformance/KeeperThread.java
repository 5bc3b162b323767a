package dev.portolan.conformance;

import dev.portolan.core.error.Threads;
import dev.portolan.sync.Keeper;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A keeper on a thread of its own, as in a daemon. */
final class KeeperThread implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Keeper keeper;
  private final Thread thread;
  private volatile String end = "";

  /** Starts {@code keeper}, in the place to which {@code inside} takes its work. */
  KeeperThread(Keeper keeper, UnaryOperator<Runnable> inside) {
    this.keeper = keeper;
    this.thread = Threads.platform("conformance").start(inside.apply(this::run)::run);
  }

  private void run() {
    try {
      keeper.run();
    } catch (InterruptedException e) {
      // It was stopped.
    } catch (RuntimeException e) {
      end = e.toString();
    }
  }

  /** Why the keeper ended by itself, if it did. */
  Optional<String> ended() {
    return end.isEmpty() ? Optional.empty() : Optional.of(end);
  }

  /** Interrupts the thread, and waits for its end. */
  void stop() {
    thread.interrupt();
    try {
      if (!thread.join(PATIENCE)) {
        throw new ConformanceException("the backend does not end when its thread is interrupted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the thread and closes the keeper. */
  @Override
  public void close() {
    stop();
    keeper.close();
  }
}
