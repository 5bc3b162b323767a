package dev.portolan.daemon;

import dev.portolan.daemon.metrics.BackendMetrics;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.util.Map;

/**
 * What a session works from: an API server, on whose objects it decides itself, or a brain, which
 * has decided already.
 */
sealed interface Upstream extends AutoCloseable permits ApiServerUpstream, BrainUpstream {
  /** Where it is. */
  String address();

  /** Where events go. */
  ClusterEvents events();

  /** Registers what is measured of the connection. */
  void measure(MetricRegistry registry, BackendMetrics metrics);

  /** Adds to an answer of the health page how old the oldest of what is known is. */
  void addAge(Map<String, Object> answer);

  /** Reads no more. */
  @Override
  void close();
}
