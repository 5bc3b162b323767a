package dev.portolan.terminal;

import dev.portolan.core.error.Threads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Lets work that goes on for long end cleanly on Ctrl-C or SIGTERM: its thread is interrupted, and
 * the status that it then returns is the process's.
 */
public final class StopSignal {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private StopSignal() {}

  /** Does {@code work} on this thread; returns its exit status. */
  public static int during(Terminal terminal, IntSupplier work) {
    Thread worker = Thread.currentThread();
    CountDownLatch done = new CountDownLatch(1);
    AtomicInteger status = new AtomicInteger(CommandFailure.FAILED);
    Thread hook =
        Threads.platform("stop-signal").unstarted(() -> end(worker, done, status, terminal));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      status.set(work.getAsInt());
      return status.get();
    } finally {
      done.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending already, and the hook has the last word.
      }
    }
  }

  private static void end(
      Thread worker, CountDownLatch done, AtomicInteger status, Terminal terminal) {
    worker.interrupt();
    try {
      if (!done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        terminal.remark("portolan: did not stop within " + PATIENCE.toSeconds() + " seconds");
      }
    } catch (InterruptedException e) {
      // Hooks are not interrupted; if one is, it ends at once.
    }
    terminal.finish();
    Runtime.getRuntime().halt(status.get());
  }
}
