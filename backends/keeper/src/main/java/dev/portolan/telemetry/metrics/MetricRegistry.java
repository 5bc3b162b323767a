package dev.portolan.telemetry.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A set of metrics with different names, and their text.
 *
 * <p>Threads that count take no lock but a histogram's own; a scrape sees each metric as it is at
 * that moment. A family whose labels have no values yet is left out, as Prometheus' own library
 * does.
 */
public final class MetricRegistry {
  private final Map<String, Collected> families = new ConcurrentSkipListMap<>();
  private final List<Runnable> preparations = new CopyOnWriteArrayList<>();

  /** Something under one name. */
  interface Collected {
    /** Writes head and lines. */
    void write(Exposition out);
  }

  /** Takes the values of a metric that is read when it is asked for. */
  public interface Samples {
    /** One value, with one text for each label in their order. */
    void add(double value, String... labelValues);

    /** The same with a whole number. */
    default void add(long value, String... labelValues) {
      add((double) value, labelValues);
    }
  }

  /** The counter without labels of this name in {@code metrics.table}. */
  public Counter counter(String name) {
    return counters(name).with();
  }

  /** The counters of this name in {@code metrics.table}. */
  public Family<Counter> counters(String name) {
    return counters(MetricRow.of(name));
  }

  /** The counters that {@code row} describes. */
  public Family<Counter> counters(MetricRow row) {
    return family(row, MetricType.COUNTER, Counter::new);
  }

  /** Counters under a name that is not in the table. */
  public Family<Counter> counters(String name, String help, String... labels) {
    return family(name, MetricType.COUNTER, help, labels, Counter::new);
  }

  /** The gauge without labels of this name in {@code metrics.table}. */
  public Gauge gauge(String name) {
    return gauges(name).with();
  }

  /** The gauges of this name in {@code metrics.table}. */
  public Family<Gauge> gauges(String name) {
    return family(MetricRow.of(name), MetricType.GAUGE, Gauge::new);
  }

  /** Gauges under a name that is not in the table. */
  public Family<Gauge> gauges(String name, String help, String... labels) {
    return family(name, MetricType.GAUGE, help, labels, Gauge::new);
  }

  /** The histogram without labels of this name in {@code metrics.table}. */
  public Histogram histogram(String name, Buckets buckets) {
    return histograms(name, buckets).with();
  }

  /** The histograms of this name in {@code metrics.table}. */
  public Family<Histogram> histograms(String name, Buckets buckets) {
    return family(MetricRow.of(name), MetricType.HISTOGRAM, () -> new Histogram(buckets));
  }

  /** Histograms under a name that is not in the table. */
  public Family<Histogram> histograms(String name, String help, Buckets buckets, String... labels) {
    return family(name, MetricType.HISTOGRAM, help, labels, () -> new Histogram(buckets));
  }

  /**
   * The counter or gauge of this name in {@code metrics.table}; {@code reader} hands over its
   * values at each scrape.
   */
  public void read(String name, Consumer<Samples> reader) {
    read(MetricRow.of(name), reader);
  }

  /** The same for what {@code row} describes. */
  public void read(MetricRow row, Consumer<Samples> reader) {
    read(row.type(), row.name(), row.help(), row.labels(), reader);
  }

  /** The same under a name that is not in the table. */
  public void read(
      MetricType type, String name, String help, List<String> labels, Consumer<Samples> reader) {
    if (type == MetricType.HISTOGRAM) {
      throw new IllegalArgumentException(name + " is a histogram; these cannot be read");
    }
    String[] names = checked(labels.toArray(String[]::new));
    Collected family =
        out -> {
          boolean[] begun = {false};
          reader.accept((value, values) -> {
            if (values.length != names.length) {
              throw new IllegalArgumentException(
                  name + " has " + names.length + " labels, not " + values.length);
            }
            if (!begun[0]) {
              begun[0] = true;
              out.family(name, type, help);
            }
            out.sample(name, Exposition.labels(names, values), value);
          });
        };
    register(name, family);
  }

  /** Does {@code work} before each scrape, such as reading once what several metrics show. */
  public void beforeScrape(Runnable work) {
    preparations.add(work);
  }

  /** Everything as Prometheus reads it, by name. */
  public String text() {
    return text(ExpositionFormat.TEXT);
  }

  /** Everything in a format, by name. */
  public String text(ExpositionFormat format) {
    preparations.forEach(Runnable::run);
    Exposition out = new Exposition(format);
    families.values().forEach(family -> family.write(out));
    return out.finish();
  }

  private <M extends Metric> Family<M> family(MetricRow row, MetricType type, Supplier<M> maker) {
    if (row.type() != type) {
      throw new IllegalArgumentException(row.name() + " is a " + row.type() + " in metrics.table");
    }
    return family(row.name(), type, row.help(), row.labels().toArray(String[]::new), maker);
  }

  private <M extends Metric> Family<M> family(
      String name, MetricType type, String help, String[] labels, Supplier<M> maker) {
    return register(name, new Family<>(name, type, help, checked(labels), maker));
  }

  private <C extends Collected> C register(String name, C family) {
    check(name);
    if (families.putIfAbsent(name, family) != null) {
      throw new IllegalArgumentException("there is a metric " + name + " already");
    }
    return family;
  }

  private static String[] checked(String... labels) {
    for (String label : labels) {
      check(label);
    }
    return labels;
  }

  private static void check(String name) {
    boolean good = !name.isEmpty() && !isDigit(name.charAt(0));
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      good &= isDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    if (!good) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a valid name for a metric or a label");
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
