package dev.portolan.status;

import dev.portolan.core.net.IpFamily;
import dev.portolan.telemetry.metrics.Metric;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * One metric for each IP family, made when first asked for, so that one without a value is not
 * shown. It is kept, since finding it by its labels at each change costs more than counting.
 * Callers share a lock.
 */
final class PerFamily<M extends Metric> {
  private final Map<IpFamily, M> known = new EnumMap<>(IpFamily.class);
  private final Function<IpFamily, M> maker;

  /** Asks {@code maker} once for each family. */
  PerFamily(Function<IpFamily, M> maker) {
    this.maker = maker;
  }

  /** The metric of this family. */
  M of(IpFamily family) {
    return known.computeIfAbsent(family, maker);
  }
}
