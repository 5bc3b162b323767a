package dev.portolan.sync;

import java.time.Duration;
import java.util.Optional;

/**
 * What a keeper does about the proxy that served the node before, once its own rules are in place.
 * Others may notice that there is something to do; it is done on the keeper's thread, which alone
 * writes.
 */
@FunctionalInterface
public interface Handover {
  /** No other proxy served the node before. */
  Handover NONE = Optional::empty;

  /**
   * Goes on with it; for the first time after the first sync. Whatever this throws, it is called
   * again after a pause that grows.
   *
   * @return after what time to go on; where empty, only when {@link #onWork} says so
   */
  Optional<Duration> advance();

  /** Has {@code wake} called, by any thread, whenever there is something to do. */
  default void onWork(Runnable wake) {}

  /** {@code first} until it succeeds, and from then on {@code then}. */
  static Handover of(Runnable first, Handover then) {
    return new Handover() {
      private boolean begun;

      @Override
      public Optional<Duration> advance() {
        if (!begun) {
          first.run();
          begun = true;
        }
        return then.advance();
      }

      @Override
      public void onWork(Runnable wake) {
        then.onWork(wake);
      }
    };
  }
}
