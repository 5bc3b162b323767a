package dev.portolan.telemetry.http;

import dev.portolan.core.error.Failures;
import dev.portolan.core.error.Threads;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for connections to all open ports of the process, on one thread, since there may be a port
 * for each service. It opens no socket itself: in which network namespace a socket is depends on
 * the thread.
 *
 * <p>A channel that a selector knows is closed in two steps: after {@code close} its port still
 * takes connections, until the selector's next selection has removed it. So the thread that closes
 * channels then waits for one selection that began later.
 */
final class Acceptor {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
  private static final Duration AFTER_A_FAILURE = Duration.ofMillis(100);

  /** What failures are counted by. */
  static final String PLACE = "http-acceptor";

  private static @Nullable Acceptor shared;

  private final Selector selector;
  private final BlockingQueue<CountDownLatch> closers = new LinkedBlockingQueue<>();
  private boolean failed;

  private Acceptor(Selector selector) {
    this.selector = selector;
  }

  /** What accepts the connections of one port. */
  interface Port {
    /** Accepts a connection, if one still waits, and returns immediately. */
    void accept() throws IOException;
  }

  /** The acceptor of this process; its thread starts with the first port, and stays. */
  static synchronized Acceptor shared() throws IOException {
    if (shared == null) {
      FirstUse.prepare();
      Acceptor acceptor = new Acceptor(Selector.open());
      Threads.platform(PLACE).lasting().start(acceptor::run);
      shared = acceptor;
    }
    return shared;
  }

  /** Calls {@code port} whenever connections to {@code channel} wait, until that is closed. */
  void add(ServerSocketChannel channel, Port port) throws IOException {
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_ACCEPT, port);
    selector.wakeup();
  }

  /** Waits until the ports of all channels that were closed before are free. */
  void awaitClosed() {
    CountDownLatch free = new CountDownLatch(1);
    closers.add(free);
    selector.wakeup();
    try {
      boolean _ = free.await(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<CountDownLatch> waiting = new ArrayList<>();
    while (true) {
      closers.drainTo(waiting);
      failed = false;
      try {
        if (waiting.isEmpty()) {
          selector.select(this::accept);
        } else {
          // Their channels were closed before, so this selection removes them.
          selector.selectNow(this::accept);
        }
      } catch (IOException e) {
        fail(e);
      }
      waiting.forEach(CountDownLatch::countDown);
      waiting.clear();
      if (failed) {
        pause(waiting);
      }
    }
  }

  /** One port's failure must not end the thread that all ports share. */
  private void accept(SelectionKey key) {
    try {
      ((Port) key.attachment()).accept();
    } catch (IOException | RuntimeException e) {
      if (key.channel().isOpen()) {
        fail(e);
      }
    }
  }

  private void fail(Exception cause) {
    failed = true;
    Failures.ofProcess().add(PLACE, cause);
  }

  /**
   * There may be no file descriptor left for a moment; until there is, the connection would be
   * reported again and again. A port that is closed frees one, which ends the pause.
   */
  private void pause(List<CountDownLatch> waiting) {
    try {
      CountDownLatch closer = closers.poll(AFTER_A_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
      if (closer != null) {
        waiting.add(closer);
      }
    } catch (InterruptedException e) {
      // No thread interrupts this one, and it has no end.
    }
  }
}
