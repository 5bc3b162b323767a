package dev.portolan.daemon;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.localhost.LocalhostNodePorts;
import dev.portolan.status.ProxyHealth;
import dev.portolan.status.ProxyMetrics;
import dev.portolan.status.ServiceHealthServers;
import dev.portolan.status.StatusObserver;
import dev.portolan.telemetry.log.Log;
import dev.portolan.wiring.NodeEvents;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.function.Consumer;

/** Turns what happens into log lines, metrics and health. */
final class Telemetry implements NodeEvents {
  /** At which verbosity failures are logged with their stack traces. */
  private static final int TRACES = 4;

  private final Log log;
  private final StatusObserver status;
  private final LocalhostNodePorts localhost;
  private final Consumer<String> contests;
  private boolean synced;
  private boolean contested;

  /**
   * Notifies all of these.
   *
   * @param contests called once when another program keeps undoing repairs
   */
  Telemetry(
      Log log,
      ProxyMetrics metrics,
      ProxyHealth health,
      ServiceHealthServers services,
      LocalhostNodePorts localhost,
      Consumer<String> contests) {
    this.log = log;
    this.status = new StatusObserver(metrics, health, services::update);
    this.localhost = localhost;
    this.contests = contests;
  }

  @Override
  public void taken(ClusterChange change, NodeImage newest) {
    status.queued(change.services().size(), change.slices().size(), newest);
  }

  /** A brain elsewhere decided {@code newest} for the node. */
  void decided(NodeImage newest) {
    status.decided(newest);
  }

  @Override
  public void applied(NodeChange change, Duration took) {
    status.applied(change, took);
    localhost.update(change);
    Log detail = synced ? log.v(2) : log;
    detail.info(
        synced ? "Synced" : "Synced for the first time",
        "revision",
        change.after().revision(),
        "set",
        change.set().size(),
        "removed",
        change.removed().size(),
        "took",
        took);
    synced = true;
  }

  @Override
  public void fellShort(NamespacedName service, String what) {
    log.warn("Not all that a service asks for is done", "service", service, "cause", what);
  }

  @Override
  public void failed(BackendException failure, Duration took, Duration pause) {
    status.failed(failure, took, pause);
    log("Sync failed, the previous rules stay in place", failure, pause);
  }

  @Override
  public void notTakenOver(BackendException failure, Duration pause) {
    log(
        "Could not remove what kube-proxy left, so its rules and ours are both in place",
        failure,
        pause);
  }

  private void log(String what, BackendException failure, Duration pause) {
    log.error(what, "code", failure.code(), "cause", failure.getMessage(), "retry", pause);
    trace(failure);
  }

  @Override
  public void audited(int differences) {
    status.audited(differences);
  }

  @Override
  public void repaired(int objects, String cause) {
    status.repaired(objects, cause);
    log.warn("Repaired the rules", "objects", objects, "after", cause);
  }

  @Override
  public void contested(int repairs, String cause, Duration pause) {
    status.contested(repairs, cause, pause);
    log.warn(
        "Another program keeps changing the rules back; repairing less often",
        "code",
        ErrorCode.CONTESTED,
        "repairs",
        repairs,
        "after",
        cause,
        "next",
        pause);
    if (!contested) {
      contested = true;
      contests.accept(
          "Another program keeps changing the rules of this proxy back ("
              + cause
              + "); they were repaired "
              + repairs
              + " times in a row. End one of the two programs");
    }
  }

  @Override
  public void uncontested() {
    status.uncontested();
    contested = false;
    log.info("No other program changes the rules any more");
  }

  @Override
  public void rulesMissing(String why) {
    status.rulesMissing(why);
    log.error(
        "Rules are missing and cannot be put back; /healthz fails until they are",
        "code",
        ErrorCode.RULES_MISSING,
        "cause",
        why);
  }

  @Override
  public void rulesInPlace() {
    status.rulesInPlace();
    log.info("No rules are missing any more");
  }

  @Override
  public void notRepaired(BackendException failure) {
    log.error("Could not repair the rules", "code", failure.code(), "cause", failure.getMessage());
    trace(failure);
  }

  /** The stack trace of a failure, for debugging. */
  private void trace(BackendException failure) {
    if (log.enabled(TRACES)) {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      log.v(TRACES).info("Stack trace", "trace", text);
    }
  }

  @Override
  public void flowsEnded(Cleaning cleaning) {
    if (cleaning.deleted() > 0) {
      log.v(2).info("Ended stale flows", "flows", cleaning.deleted());
    }
    cleaning.sockets().ifPresent(this::socketsEnded);
    cleaning
        .firstFailure()
        .ifPresent(failure ->
            log.error(
                "A stale flow or socket could not be ended",
                "code",
                ErrorCode.STALE_FLOWS,
                "cause",
                failure));
  }

  private void socketsEnded(Cleaning.Sockets sockets) {
    if (sockets.ended() > 0) {
      log.v(2)
          .info(
              "Ended sockets to endpoints that are gone",
              "sockets",
              sockets.ended(),
              "namespaces",
              sockets.namespaces());
    }
  }

  @Override
  public void flowsNotEnded(BackendException failure) {
    log.error(
        "Stale flows end after the next sync",
        "code",
        ErrorCode.STALE_FLOWS,
        "cause",
        failure.getMessage());
  }

  @Override
  public void warned(String warning) {
    log.warn(warning);
  }
}
