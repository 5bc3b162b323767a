package dev.portolan.web.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Until when each thread may work on its request; a thread that takes longer is interrupted. */
final class Deadlines {
  private final Map<Thread, Long> ends = new ConcurrentHashMap<>();

  /** The calling thread has {@code most} from now on. */
  void set(Duration most) {
    ends.put(Thread.currentThread(), System.nanoTime() + most.toNanos());
  }

  /** The calling thread waits for something else than its client. */
  void clear() {
    ends.remove(Thread.currentThread());
  }

  /** Interrupts threads that are late, which closes their connections. */
  void check() {
    long now = System.nanoTime();
    ends.forEach((thread, end) -> {
      if (now - end > 0 && ends.remove(thread, end)) {
        thread.interrupt();
      }
    });
  }
}
