package dev.portolan.backend.userspace;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Large buffers for those connections through which much passes right now. Every direction of a
 * connection has a small one of its own, with which it waits; so ten thousand that wait are cheap.
 * A direction that fills its buffer takes a large one while there are any, and puts it back when
 * there is less to do.
 */
final class Buffers {
  private static final int SMALL = 4 * 1024;
  private static final int LARGE = 64 * 1024;
  private static final int MOST = 1_024;

  private final ConcurrentLinkedQueue<ByteBuffer> unused = new ConcurrentLinkedQueue<>();
  private final Semaphore left = new Semaphore(MOST);

  /** A buffer to wait with. */
  static ByteBuffer small() {
    return ByteBuffer.allocate(SMALL);
  }

  /** The buffer for the next read, after one of {@code count} bytes into {@code used}. */
  ByteBuffer next(ByteBuffer used, ByteBuffer small, int count) {
    if (used.isDirect()) {
      return count >= LARGE / 2 ? used : giveBack(used, small);
    }
    if (count < SMALL || !left.tryAcquire()) {
      return small;
    }
    ByteBuffer large = unused.poll();
    return large == null ? ByteBuffer.allocateDirect(LARGE) : large;
  }

  /** Takes back {@code used}, if it is a large one, and returns the small one. */
  ByteBuffer giveBack(ByteBuffer used, ByteBuffer small) {
    if (used.isDirect()) {
      unused.add(used);
      left.release();
    }
    return small;
  }
}
