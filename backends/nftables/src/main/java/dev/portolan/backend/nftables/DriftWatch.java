package dev.portolan.backend.nftables;

import dev.portolan.core.backend.Backend;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.RunningProcess;
import dev.portolan.netlink.nftables.NftablesMonitor;
import dev.portolan.netlink.nftables.RulesNotice;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Hears from the kernel when something else changes our tables, and says so at once. */
final class DriftWatch implements Backend.Watch {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final NftablesBackend backend;
  private final NftablesMonitor monitor;
  private final Consumer<String> suspicions;
  private final Thread thread;

  /** Starts watching the tables of {@code backend}. */
  DriftWatch(NftablesBackend backend, Consumer<String> suspicions) {
    this.backend = backend;
    this.suspicions = suspicions;
    this.monitor = NftablesMonitor.except(backend.port(), backend.options().namespace());
    this.thread = Thread.ofPlatform().daemon().name("nftables-drift").unstarted(this::watch);
    thread.start();
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
    return changed.port() != backend.port()
        && (changed.table().equals(backend.tableName(AddressFamily.IPV4))
            || changed.table().equals(backend.tableName(AddressFamily.IPV6)));
  }
}
