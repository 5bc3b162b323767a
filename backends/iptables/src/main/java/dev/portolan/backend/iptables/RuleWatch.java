package dev.portolan.backend.iptables;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.error.Threads;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.RunningProcess;
import dev.portolan.nftables.NftablesMonitor;
import dev.portolan.nftables.RulesNotice;
import dev.portolan.nftables.TableName;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Notices when another program changes our rules: of iptables-nft by the kernel's notices, of
 * iptables-legacy by asking for the tables' sizes.
 */
final class RuleWatch implements Backend.Watch {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Optional<NftablesMonitor> monitor;
  private final OwnWrites own;
  private final LookSchedule schedule;
  private final Runnable askForSizes;
  private final Consumer<String> suspicions;
  private final Thread thread;

  /** What the transaction that is being reported did to our rules. */
  private boolean inChains;

  private boolean onTheWay;

  /**
   * Starts watching.
   *
   * @param monitor empty where all rules are those of iptables-legacy
   * @param askForSizes notes on the schedule what it finds
   */
  RuleWatch(
      Optional<NftablesMonitor> monitor,
      OwnWrites own,
      LookSchedule schedule,
      Runnable askForSizes,
      Consumer<String> suspicions) {
    this.monitor = monitor;
    this.own = own;
    this.schedule = schedule;
    this.askForSizes = askForSizes;
    this.suspicions = suspicions;
    this.thread = Threads.platform("iptables-drift").lasting().unstarted(this::watch);
    thread.start();
  }

  /** Stops watching. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    monitor.ifPresent(NftablesMonitor::close);
  }

  private void watch() throws InterruptedException {
    long next = System.nanoTime();
    while (true) {
      Duration left = Duration.ofNanos(Math.max(0, next - System.nanoTime()));
      if (monitor.isPresent()) {
        monitor.get().next(left).ifPresent(this::read);
      } else {
        Thread.sleep(left);
      }
      if (System.nanoTime() - next >= 0) {
        next = System.nanoTime() + PERIOD.toNanos();
        askForSizes.run();
        suspect();
      }
    }
  }

  private void read(RulesNotice notice) {
    switch (notice) {
      case RulesNotice.Changed changed -> {
        if (!own.isBy(changed.port())) {
          read(changed);
        }
      }
      case RulesNotice.Committed committed -> {
        if (inChains || onTheWay) {
          String writer = RunningProcess.ofWriter(committed.process(), committed.processName());
          schedule.note("a change by " + writer, inChains);
          inChains = false;
          onTheWay = false;
          suspect();
        }
      }
      case RulesNotice.Lost lost -> {
        schedule.note("lost notifications: " + lost.reason(), true);
        suspect();
      }
    }
  }

  /** A rule that comes to one of the kernel's chains takes none of ours away. */
  private void read(RulesNotice.Changed changed) {
    String table = changed.table().name();
    boolean ofIptables =
        Chains.TABLES.contains(table)
            && (changed.table().equals(TableName.of(AddressFamily.IPV4, table))
                || changed.table().equals(TableName.of(AddressFamily.IPV6, table)));
    if (ofIptables) {
      inChains |= changed.kind() == RulesNotice.Kind.TABLE || Chains.isOwned(table, changed.name());
      onTheWay |=
          changed.deleted()
              && (Chains.isBuiltIn(changed.name())
                  || changed.name().equals(Chains.KUBELET_FIREWALL));
    }
  }

  private void suspect() {
    schedule.due().map(LookSchedule.Hint::cause).ifPresent(suspicions);
  }
}
