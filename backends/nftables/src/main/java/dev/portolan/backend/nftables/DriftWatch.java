package dev.portolan.backend.nftables;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.backend.DriftListener;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.nftables.NftablesMonitor;
import dev.portolan.netlink.nftables.RulesNotice;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps our tables as they were written. The kernel notifies it when another program changes them,
 * and it repairs them immediately; it also compares everything periodically; and when idle it
 * removes what changes left over.
 */
public final class DriftWatch implements Backend.Watch {
  private static final Duration QUIET = Duration.ofMillis(200);

  private final NftablesBackend backend;
  private final NftablesMonitor monitor;
  private final Duration auditEvery;
  private final DriftListener listener;
  private final Thread thread;
  private final AtomicLong repairs = new AtomicLong();
  private long lastAudit = System.nanoTime();

  /** Starts watching the tables of {@code backend}. */
  public DriftWatch(NftablesBackend backend, Duration auditEvery, DriftListener listener) {
    this.backend = backend;
    this.auditEvery = auditEvery;
    this.listener = listener;
    this.monitor = NftablesMonitor.except(backend.port(), backend.options().namespace());
    this.thread = Thread.ofPlatform().daemon().name("nftables-drift").unstarted(this::watch);
    thread.start();
  }

  /** How often something was repaired. */
  public long repairs() {
    return repairs.get();
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
    while (!monitor.isClosed()) {
      try {
        Optional<RulesNotice> notice = monitor.next(QUIET);
        if (notice.isEmpty()) {
          backend.tidy();
          if (System.nanoTime() - lastAudit > auditEvery.toNanos()) {
            audit("the regular audit");
          }
          continue;
        }
        switch (notice.get()) {
          case RulesNotice.Changed changed -> touched |= isOursByOthers(changed);
          case RulesNotice.Committed committed -> {
            if (touched) {
              touched = false;
              audit("a change by " + committed.processName() + " (" + committed.process() + ")");
            }
          }
          case RulesNotice.Lost lost -> audit("lost notifications: " + lost.reason());
        }
      } catch (BackendException e) {
        listener.notRepaired(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private boolean isOursByOthers(RulesNotice.Changed changed) {
    return changed.port() != backend.port()
        && (changed.table().equals(backend.tableName(AddressFamily.IPV4))
            || changed.table().equals(backend.tableName(AddressFamily.IPV6)));
  }

  private void audit(String cause) {
    lastAudit = System.nanoTime();
    int objects = backend.audit();
    if (objects > 0) {
      repairs.incrementAndGet();
      listener.repaired(objects, cause);
    }
  }
}
