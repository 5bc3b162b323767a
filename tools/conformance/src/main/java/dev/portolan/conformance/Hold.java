package dev.portolan.conformance;

import java.util.concurrent.CountDownLatch;

/** A place in the next set of changes where the stream stands still until it is released. */
final class Hold {
  private final int items;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** After how many items. */
  Hold(int items) {
    this.items = items;
  }

  /** Items of a set went out; waits if this is the place. */
  void passed(int count) throws InterruptedException {
    if (count == items) {
      reached.countDown();
      released.await();
    }
  }

  boolean isReached() {
    return reached.getCount() == 0;
  }

  void release() {
    released.countDown();
  }
}
