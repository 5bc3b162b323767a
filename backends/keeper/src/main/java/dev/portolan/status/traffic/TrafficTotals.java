package dev.portolan.status.traffic;

import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.node.ServicePortName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what counters of a backend say, so that totals only grow although counters start again
 * from zero when they are replaced. Any thread may call.
 *
 * <p>The kernel may have skipped a missing counter because a change was under way, so its last
 * value is kept for some time. A service port without counters is forgotten after that time.
 *
 * <p>A limited number of service ports with traffic, the first ones, have series of their own. The
 * others are added up in one more series, where it stays as long as the service port does.
 */
public final class TrafficTotals {
  /** For how long something is remembered that is not counted any more. */
  static final Duration MEMORY = Duration.ofMinutes(10);

  private final int mostSeries;
  private final InstantSource clock;
  private final Map<Counter, Last> counters = new HashMap<>();
  private final Map<ServicePortName, Port> ports = new TreeMap<>();
  private final Map<Kind, Long> others = new EnumMap<>(Kind.class);
  private int series;

  private record Counter(ServicePortName port, String place, Kind kind) {}

  private record Last(long count, Instant seen) {}

  private static final class Port {
    final Map<Kind, Long> totals = new EnumMap<>(Kind.class);
    Instant seen = Instant.EPOCH;
    boolean active;
    boolean own;
  }

  /**
   * Nothing was counted yet.
   *
   * @param mostSeries how many service ports have series of their own
   */
  public TrafficTotals(int mostSeries, InstantSource clock) {
    this.mostSeries = mostSeries;
    this.clock = clock;
  }

  /** Takes {@code counts} for what was counted before the totals begin. */
  public synchronized void startFrom(List<TrafficCount> counts) {
    Instant now = clock.instant();
    distinct(counts).forEach((counter, count) -> counters.put(counter, new Last(count, now)));
  }

  /** Adds what was counted since the last call. */
  public synchronized void add(List<TrafficCount> counts) {
    Instant now = clock.instant();
    distinct(counts)
        .forEach((counter, count) -> {
          Last before = counters.put(counter, new Last(count, now));
          Port port = ports.computeIfAbsent(counter.port, key -> new Port());
          port.seen = now;
          add(port, counter.kind, growth(before, count));
        });
    forgetBefore(now.minus(MEMORY));
  }

  /** A lower count than before is that of a counter that started again. */
  private static long growth(@Nullable Last before, long count) {
    return before == null || count < before.count ? count : count - before.count;
  }

  private void add(Port port, Kind kind, long growth) {
    port.totals.merge(kind, growth, Long::sum);
    if (growth > 0 && !port.active) {
      port.active = true;
      port.own = series < mostSeries;
      series += port.own ? 1 : 0;
    }
    if (port.active && !port.own) {
      others.merge(kind, growth, Long::sum);
    }
  }

  private void forgetBefore(Instant time) {
    counters.values().removeIf(last -> last.seen.isBefore(time));
    ports
        .values()
        .removeIf(port -> {
          boolean old = port.seen.isBefore(time);
          series -= old && port.own ? 1 : 0;
          return old;
        });
  }

  /** While something changes, a counter may be read twice. */
  private static Map<Counter, Long> distinct(List<TrafficCount> counts) {
    Map<Counter, Long> distinct = new HashMap<>();
    for (TrafficCount each : counts) {
      distinct.merge(new Counter(each.port(), each.place(), each.kind()), each.count(), Math::max);
    }
    return distinct;
  }

  /** The totals of every service port, by name. */
  public synchronized List<PortTraffic> ports() {
    return ports.entrySet().stream()
        .map(entry -> new PortTraffic(entry.getKey(), entry.getValue().totals))
        .toList();
  }

  /** How many service ports have traffic and no series of their own. */
  public synchronized long withoutSeries() {
    return ports.values().stream().filter(port -> port.active && !port.own).count();
  }

  /**
   * Hands over the totals of one kind: of each service port with a series of its own, then that of
   * all others, whose name is empty.
   */
  synchronized void series(Kind kind, BiConsumer<@Nullable ServicePortName, Long> each) {
    ports.forEach((name, port) -> {
      Long total = port.totals.get(kind);
      if (port.own && total != null) {
        each.accept(name, total);
      }
    });
    Long rest = others.get(kind);
    if (rest != null) {
      each.accept(null, rest);
    }
  }
}
