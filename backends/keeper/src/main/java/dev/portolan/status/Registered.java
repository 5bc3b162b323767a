package dev.portolan.status;

import dev.portolan.telemetry.metrics.MetricRegistry;
import java.util.List;

/** Which metrics a mode has. */
public final class Registered {
  private Registered() {}

  /**
   * {@code registry} where {@code mode} is one of {@code modes}; otherwise one that is never
   * printed, so that callers need not know the mode.
   */
  public static MetricRegistry in(MetricRegistry registry, String mode, String... modes) {
    return List.of(modes).contains(mode) ? registry : new MetricRegistry();
  }
}
