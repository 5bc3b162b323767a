package dev.portolan.nftables.table;

import dev.portolan.core.error.Threads;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Nftables;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Commits transactions one after the other, while more of them are made. After one that the kernel
 * refuses none is committed any more.
 */
final class Commits implements AutoCloseable {
  private final Nftables kernel;
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
  private int count;

  Commits(Nftables kernel) {
    this.kernel = kernel;
  }

  /** Commits {@code batch} after those before it. */
  void add(Batch batch) {
    if (!batch.isEmpty()) {
      count++;
      last =
          last.thenRunAsync(
              () -> kernel.commit(batch),
              task -> Threads.platform("nftables-commit").start(task::run));
    }
  }

  /** How many were added. */
  int count() {
    return count;
  }

  /** Waits until all are committed; says where one was not. */
  @Override
  public void close() {
    try {
      last.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof NetlinkException refused ? refused : e;
    }
  }
}
