package dev.portolan.netlink;

import dev.portolan.netlink.MessageReader.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Listens to multicast groups on a socket of its own, and turns messages into values of {@code T}.
 *
 * <p>Where messages were lost, or cannot be read, a value of its own kind says so: the reader must
 * then look at everything, as it had to in the beginning.
 */
public class NetlinkMonitor<T> implements AutoCloseable {
  /** How often a waiting thread checks whether it is to end. */
  private static final Duration SLICE = Duration.ofMillis(100);

  private final NetlinkSocket socket;
  private final Function<Message, Optional<T>> read;
  private final Function<String, T> lost;
  private final int[] groups;
  private final Queue<T> waiting = new ArrayDeque<>();

  /** Held while the socket is used, so that it is not closed meanwhile. */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile boolean closed;

  /**
   * Joins the groups.
   *
   * @param read the value of a message, or nothing where it does not matter
   * @param lost the value that says why everything may have changed
   */
  protected NetlinkMonitor(
      NetlinkSocket socket,
      Function<Message, Optional<T>> read,
      Function<String, T> lost,
      int... groups) {
    this.socket = socket;
    this.read = read;
    this.lost = lost;
    this.groups = groups.clone();
    try {
      join();
    } catch (NetlinkException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Waits for the next value.
   *
   * @return nothing where the time has passed or this was closed
   * @throws InterruptedException soon after the thread was interrupted
   */
  public final Optional<T> next(Duration wait) throws InterruptedException {
    long deadline = System.nanoTime() + wait.toNanos();
    while (!closed) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
      boolean last = left.compareTo(SLICE) <= 0;
      lock.lockInterruptibly();
      try {
        if (!closed && waiting.isEmpty()) {
          receive(last ? left : SLICE);
        }
        T found = waiting.poll();
        if (found != null) {
          return Optional.of(found);
        }
      } finally {
        lock.unlock();
      }
      if (last && System.nanoTime() - deadline >= 0) {
        break;
      }
    }
    return Optional.empty();
  }

  /**
   * Does {@code work} without listening meanwhile. Without a listener the kernel makes no messages
   * at all.
   */
  public final void pause(Runnable work) {
    for (int group : groups) {
      socket.leave(group);
    }
    try {
      work.run();
    } finally {
      join();
    }
  }

  /** Whether {@link #close} was called. */
  public final boolean isClosed() {
    return closed;
  }

  /** Leaves the groups; any thread may call it, and a waiting thread returns. */
  @Override
  public final void close() {
    closed = true;
    lock.lock();
    try {
      socket.close();
    } finally {
      lock.unlock();
    }
  }

  private void join() {
    for (int group : groups) {
      socket.join(group);
    }
  }

  private void receive(Duration wait) {
    try {
      MessageReader datagram = socket.receive(wait);
      if (datagram != null) {
        accept(datagram);
      }
    } catch (NetlinkException e) {
      if (e.errno() != 0 && e.errno() != Errno.ENOBUFS) {
        throw e;
      }
      waiting.add(lost.apply(String.valueOf(e.getMessage())));
    }
  }

  private void accept(MessageReader datagram) {
    for (Optional<Message> next = datagram.next(); next.isPresent(); next = datagram.next()) {
      if (next.get().type() == MessageReader.TYPE_OVERRUN) {
        waiting.add(lost.apply("the kernel reports an overrun"));
      } else {
        read.apply(next.get()).ifPresent(waiting::add);
      }
    }
  }
}
