package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waits for what happens in its own time. */
final class Wait {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Wait() {}

  /** Something that becomes true; it may fail with an exception for as long as it is not. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }

  /** Waits until the condition holds; {@code story} says what happened if it never does. */
  static void until(Condition condition, Supplier<String> story) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Exception last = null;
    while (System.nanoTime() < end) {
      try {
        if (condition.holds()) {
          return;
        }
        last = null;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        last = e;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError("it never came true: " + story.get(), last);
  }

  /** Waits for a process to end; returns its exit status. */
  static int end(Process process, Supplier<String> story) throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(story).isTrue();
    return process.exitValue();
  }
}
