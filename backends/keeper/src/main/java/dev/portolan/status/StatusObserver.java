package dev.portolan.status;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.sync.Observer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps metrics, health and health-check nodePorts in step with what a keeper does. */
public final class StatusObserver implements Observer {
  private final ProxyMetrics metrics;
  private final ProxyHealth health;
  private final Consumer<NodeChange> services;
  private @Nullable NodeImage decided;

  /**
   * Writes down what happens in {@code metrics} and {@code health}.
   *
   * @param services what serves health-check nodePorts, called with each change that was applied
   */
  public StatusObserver(ProxyMetrics metrics, ProxyHealth health, Consumer<NodeChange> services) {
    this.metrics = metrics;
    this.health = health;
    this.services = services;
  }

  /**
   * A brain decided {@code newest} for the node. Which objects led to it is not known here: a
   * service that is treated otherwise counts as one of each kind.
   */
  public synchronized void decided(NodeImage newest) {
    NodeImage before = decided == null ? NodeImage.unsynced(newest.facts().name()) : decided;
    decided = newest;
    if (newest.isSynced()) {
      int changed = NodeChange.between(before, newest).services().size();
      queued(changed, changed, newest);
    }
  }

  /** Objects changed, which led to {@code newest}. */
  public void queued(int services, int slices, NodeImage newest) {
    metrics.changed(services, slices, newest.revision());
    health.queued(newest.revision());
    health.eligible(newest.facts().eligible());
  }

  @Override
  public void applied(NodeChange change, Duration took) {
    metrics.applied(change, took);
    health.updated(change.after().revision());
    services.accept(change);
  }

  @Override
  public void failed(BackendException failure, Duration took, Duration pause) {
    metrics.failed();
  }

  @Override
  public void audited(int differences) {
    metrics.audited(differences);
  }

  @Override
  public void repaired(int objects, String cause) {
    metrics.repaired();
  }

  @Override
  public void contested(int repairs, String cause, Duration pause) {
    metrics.repaired();
    metrics.contested(true);
  }

  @Override
  public void uncontested() {
    metrics.contested(false);
  }

  @Override
  public void rulesMissing(String why) {
    metrics.rulesMissing(true);
    health.rulesMissing(true);
  }

  @Override
  public void rulesInPlace() {
    metrics.rulesMissing(false);
    health.rulesMissing(false);
  }
}
