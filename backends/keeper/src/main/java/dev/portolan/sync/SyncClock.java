package dev.portolan.sync;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Time and waiting, as far as a keeper needs them; tests have one that they move themselves. */
public interface SyncClock {
  /** The clock of this machine. */
  SyncClock SYSTEM =
      new SyncClock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void await(Semaphore wakeup, long nanos) throws InterruptedException {
          boolean _ = wakeup.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        }
      };

  /** Nanoseconds since some moment. */
  long nanoTime();

  /** Waits until {@code wakeup} has a permit, which it takes, or the time has passed. */
  void await(Semaphore wakeup, long nanos) throws InterruptedException;
}
