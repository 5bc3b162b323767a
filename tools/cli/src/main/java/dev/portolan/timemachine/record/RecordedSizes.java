package dev.portolan.timemachine.record;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.text.Counted;
import java.util.Locale;

/** How much there is, in words. */
final class RecordedSizes {
  private static final int THOUSAND = 1000;

  private RecordedSizes() {}

  /** Such as {@code 412 bytes}, {@code 4.1 kB}, {@code 1.1 MB}. */
  static String bytes(long bytes) {
    if (bytes < THOUSAND) {
      return Counted.of(bytes, "byte");
    }
    double kilobytes = bytes / (double) THOUSAND;
    return kilobytes < THOUSAND
        ? String.format(Locale.ROOT, "%.1f kB", kilobytes)
        : String.format(Locale.ROOT, "%.1f MB", kilobytes / THOUSAND);
  }

  /** Such as {@code 3 services, 4 slices, 1 node}. */
  static String of(ClusterImage cluster) {
    return Counted.of(cluster.services().size(), "service")
        + ", "
        + Counted.of(cluster.slices().size(), "slice")
        + ", "
        + Counted.of(cluster.nodes().size(), "node");
  }
}
