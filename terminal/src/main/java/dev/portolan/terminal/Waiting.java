package dev.portolan.terminal;

import java.time.Duration;
import java.util.function.Supplier;

/** Says after a moment what a command waits for, so that none hangs in silence. */
public final class Waiting implements AutoCloseable {
  private static final Duration MOMENT = Duration.ofSeconds(2);

  private final Thread thread;

  private Waiting(Thread thread) {
    this.thread = thread;
  }

  /** Starts to wait; {@code sentence} is asked for when the moment is over. */
  public static Waiting announce(Supplier<String> sentence, Remarks remarks) {
    return new Waiting(
        Thread.ofVirtual()
            .name("waiting")
            .start(() -> {
              try {
                Thread.sleep(MOMENT);
                remarks.say(sentence.get());
              } catch (InterruptedException e) {
                // It came in time.
              }
            }));
  }

  /** What was waited for is there. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
