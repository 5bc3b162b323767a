package dev.portolan.nftables.table;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.error.Threads;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.RunningProcess;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.NftablesMonitor;
import dev.portolan.nftables.RulesNotice;
import dev.portolan.nftables.TableName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** Reports when another program changes the tables of one name. */
final class DriftWatch implements Backend.Watch {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final String table;
  private final int ownPort;
  private final NftablesMonitor monitor;
  private final Consumer<String> suspicions;
  private final Thread thread;

  /** Starts watching; the transactions of {@code ownPort} are our own. */
  DriftWatch(String table, Optional<Path> namespace, int ownPort, Consumer<String> suspicions) {
    this.table = table;
    this.ownPort = ownPort;
    this.suspicions = suspicions;
    this.monitor = NftablesMonitor.except(ownPort, namespace);
    this.thread = Threads.platform("nftables-drift").lasting().unstarted(this::watch);
    thread.start();
  }

  /**
   * Writes much, unwatched: to report it the kernel would take as long again, and 10 kB of memory
   * for each element. The generation of the rule set shows whether others wrote meanwhile.
   *
   * @param write returns how many transactions it took
   * @return the same
   */
  int pause(Nftables kernel, IntSupplier write) {
    int before = kernel.generation();
    int[] own = {0};
    monitor.pause(() -> own[0] = write.getAsInt());
    if (kernel.generation() != before + own[0]) {
      suspicions.accept("a change by another program while ours was written");
    }
    return own[0];
  }

  /** Stops watching. */
  @Override
  public void close() {
    monitor.close();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch() {
    boolean touched = false;
    try {
      while (!monitor.isClosed()) {
        Optional<RulesNotice> notice = monitor.next(LONG);
        switch (notice.orElse(null)) {
          case null -> {}
          case RulesNotice.Changed changed -> touched |= isOursByOthers(changed);
          case RulesNotice.Committed committed -> {
            if (touched) {
              touched = false;
              suspicions.accept(
                  "a change by "
                      + RunningProcess.ofWriter(committed.process(), committed.processName()));
            }
          }
          case RulesNotice.Lost lost -> suspicions.accept("lost notifications: " + lost.reason());
        }
      }
    } catch (InterruptedException e) {
      // It was closed.
    }
  }

  private boolean isOursByOthers(RulesNotice.Changed changed) {
    return changed.port() != ownPort
        && (changed.table().equals(TableName.of(AddressFamily.IPV4, table))
            || changed.table().equals(TableName.of(AddressFamily.IPV6, table)));
  }
}
