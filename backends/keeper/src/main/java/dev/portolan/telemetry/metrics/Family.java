package dev.portolan.telemetry.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** All metrics of one name; they differ in the values of their labels. */
public final class Family<M extends Metric> implements MetricRegistry.Collected {
  private final String name;
  private final MetricType type;
  private final String help;
  private final String[] labels;
  private final Supplier<M> maker;
  private final Map<String, M> metrics = new ConcurrentSkipListMap<>();

  Family(String name, MetricType type, String help, String[] labels, Supplier<M> maker) {
    this.name = name;
    this.type = type;
    this.help = help;
    this.labels = labels.clone();
    this.maker = maker;
  }

  /** The metric with these values, one for each label in their order; made when first asked for. */
  public M with(String... values) {
    if (values.length != labels.length) {
      throw new IllegalArgumentException(
          name + " has " + labels.length + " labels, not " + values.length);
    }
    return metrics.computeIfAbsent(Exposition.labels(labels, values), key -> maker.get());
  }

  /** Writes the metrics in the order of their labels; nothing at all where there are none. */
  @Override
  public void write(Exposition out) {
    if (metrics.isEmpty()) {
      return;
    }
    out.family(name, type, help);
    metrics.forEach((rendered, metric) -> metric.write(out, name, rendered));
  }
}
