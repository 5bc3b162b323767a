package dev.portolan.daemon;

import dev.portolan.config.StartPlan;
import dev.portolan.config.finding.Finding;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.metrics.Gauge;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.util.List;
import java.util.function.Consumer;

/**
 * Hands on what the configuration file became; one that cannot be used is reported as event and
 * metric.
 */
final class OwnFile implements ConfigWatch.Listener {
  private final ClusterEvents events;
  private final Log log;
  private final Consumer<StartPlan> next;
  private final Gauge refused;

  /**
   * Watches with the words of one session.
   *
   * @param next takes a changed plan, or throws what is wrong with it
   */
  OwnFile(ClusterEvents events, MetricRegistry registry, Log log, Consumer<StartPlan> next) {
    this.events = events;
    this.log = log;
    this.next = next;
    this.refused = registry.gauge("portolan_configuration_refused");
  }

  @Override
  public void changed(StartPlan plan) {
    next.accept(plan);
  }

  @Override
  public void unchanged() {
    refused.set(0);
  }

  @Override
  public void refused(List<Finding> errors) {
    notUsed("the changed configuration file is not valid: " + errors.getFirst());
    errors.forEach(error ->
        log.error(
            "The changed configuration file is not valid and is not used",
            "code",
            ErrorCode.CONFIGURATION,
            "error",
            error));
  }

  /** The file is there and not used: an event and a metric say so. */
  void notUsed(String why) {
    refused.set(1);
    events.aboutNode("Warning", "ConfigurationRefused", why + "; the one before stays in use");
  }
}
