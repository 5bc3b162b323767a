package dev.portolan.backend.iptables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.mode.ModeMetric;
import dev.portolan.telemetry.metrics.MetricRegistry.Samples;
import dev.portolan.telemetry.metrics.MetricRow;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/** What the backend has counted, for metrics and benchmarks. Any thread may read. */
public final class IptablesCounts {
  private final Map<IpFamily, OfFamily> families = new EnumMap<>(IpFamily.class);
  private final Function<String, OptionalLong> packets;

  IptablesCounts(Function<String, OptionalLong> packets) {
    this.packets = packets;
    for (IpFamily family : IpFamily.values()) {
      families.put(family, new OfFamily());
    }
  }

  /** The counts of one family. */
  public OfFamily of(IpFamily family) {
    return Objects.requireNonNull(families.get(family));
  }

  /** Packets that fit no connection and were dropped; empty where the kernel does not count. */
  public OptionalLong invalidPacketsDropped() {
    return packets.apply(RuleText.INVALID_COUNTER);
  }

  /** Connections to nodePorts on localhost; empty where the kernel does not count. */
  public OptionalLong localhostNodePortPackets() {
    return packets.apply(RuleText.LOCALHOST_COUNTER);
  }

  /** What kube-proxy measures in this mode. */
  static List<ModeMetric> measured() {
    return List.of(
        ModeMetric.fullSyncs(),
        ModeMetric.partialSyncs(),
        byFamily(
            "kubeproxy_sync_proxy_rules_iptables_restore_failures_total",
            OfFamily::restoreFailures),
        byFamily(
            "kubeproxy_sync_proxy_rules_iptables_partial_restore_failures_total",
            OfFamily::partialRestoreFailures),
        byTable("kubeproxy_sync_proxy_rules_iptables_total", OfFamily::rules),
        byTable("kubeproxy_sync_proxy_rules_iptables_last", OfFamily::rulesWritten),
        packets(
            "kubeproxy_iptables_ct_state_invalid_dropped_packets_total",
            IptablesCounts::invalidPacketsDropped),
        packets(
            "kubeproxy_iptables_localhost_nodeports_accepted_packets_total",
            IptablesCounts::localhostNodePortPackets));
  }

  private static ModeMetric byFamily(String name, ToLongFunction<OfFamily> count) {
    return read(
        name,
        (counts, samples) -> {
          for (IpFamily family : IpFamily.values()) {
            samples.add(count.applyAsLong(counts.of(family)), family.toString());
          }
        });
  }

  private static ModeMetric byTable(String name, ToLongBiFunction<OfFamily, String> count) {
    return read(
        name,
        (counts, samples) -> {
          for (IpFamily family : IpFamily.values()) {
            for (String table : List.of("filter", "nat")) {
              samples.add(count.applyAsLong(counts.of(family), table), family.toString(), table);
            }
          }
        });
  }

  private static ModeMetric packets(String name, Function<IptablesCounts, OptionalLong> count) {
    return read(name, (counts, samples) -> count.apply(counts).ifPresent(samples::add));
  }

  private static ModeMetric read(String name, BiConsumer<IptablesCounts, Samples> reader) {
    return ModeMetric.read(
        MetricRow.of(name),
        IptablesBackend.class,
        (backend, samples) -> reader.accept(backend.counts(), samples));
  }

  /** The counts of one family. */
  public static final class OfFamily {
    private final Map<String, Long> total = new ConcurrentHashMap<>();
    private final Map<String, Long> last = new ConcurrentHashMap<>();
    private final AtomicLong restores = new AtomicLong();
    private final AtomicLong partialRestores = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong partialFailures = new AtomicLong();

    private OfFamily() {}

    /** How many rules of ours a table holds, {@code filter} or {@code nat}. */
    public long rules(String table) {
      return total.getOrDefault(table, 0L);
    }

    /** How many rules the last restore wrote to a table. */
    public long rulesWritten(String table) {
      return last.getOrDefault(table, 0L);
    }

    /** How many restores of everything succeeded. */
    public long fullRestores() {
      return restores.get();
    }

    /** How many restores of what had changed succeeded. */
    public long partialRestores() {
      return partialRestores.get();
    }

    /** How many restores failed, of either kind. */
    public long restoreFailures() {
      return failures.get();
    }

    /** How many restores of what had changed failed. */
    public long partialRestoreFailures() {
      return partialFailures.get();
    }

    void wroteAll(RestoreWriter written) {
      restores.incrementAndGet();
      for (String table : Chains.TABLES) {
        total.put(table, (long) written.rules(table));
        last.put(table, (long) written.rules(table));
      }
    }

    void wroteChange(RestoreWriter written, RestoreWriter added, RestoreWriter removed) {
      partialRestores.incrementAndGet();
      for (String table : Chains.TABLES) {
        total.merge(table, (long) added.rules(table) - removed.rules(table), Long::sum);
        last.put(table, (long) written.rules(table));
      }
    }

    void failed(boolean whole) {
      failures.incrementAndGet();
      if (!whole) {
        partialFailures.incrementAndGet();
      }
    }

    void clear() {
      total.clear();
      last.clear();
    }
  }
}
