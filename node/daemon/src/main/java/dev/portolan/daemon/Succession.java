package dev.portolan.daemon;

import dev.portolan.config.StartPlan;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.modes.OpenBackend;
import dev.portolan.takeover.DrainWatch;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.takeover.TakeoverOptions.Own;
import dev.portolan.telemetry.log.Log;
import java.util.List;

/** Takes over from a kube-proxy once our rules are in place: removes what it left. */
final class Succession implements AutoCloseable {
  private final StartPlan plan;
  private final Log log;
  private final DrainWatch draining;
  private boolean begun;

  Succession(StartPlan plan, Log log) {
    this.plan = plan;
    this.log = log;
    this.draining = new DrainWatch(log::info);
  }

  /** How many connections go on through what a kube-proxy left. */
  int connections() {
    return draining.connections();
  }

  /**
   * The rules of {@code mode} are in place; what a kube-proxy left may go. After a failure it is
   * called again.
   *
   * @throws BackendException where something of it stays that should not
   */
  void begin(OpenBackend mode, OtherProxy beside) {
    if (!begun) {
      begun = true;
      for (String what : mode.replaced().get()) {
        log.warn("Replaced rules that another program wrote", "what", what);
      }
    }
    // What still runs would only write its rules again.
    if (!beside.isThere()) {
      takeOver(mode.own());
    }
    beside.watch(() -> hasLeftovers(mode.own()), () -> takeOver(mode.own()));
  }

  /** On Windows the first sync already replaced what a kube-proxy left. */
  private boolean takesOver() {
    return Platform.current() == Platform.LINUX && !plan.flags().truth("keep-leftovers");
  }

  private boolean hasLeftovers(Own own) {
    return takesOver() && !Takeover.find(KubeProxy.leftovers(plan, own)).isEmpty();
  }

  private void takeOver(Own own) {
    if (!takesOver()) {
      return;
    }
    TakeoverOptions options = KubeProxy.leftovers(plan, own);
    Leftovers leftovers = Takeover.find(options);
    List<String> failed = List.of();
    if (leftovers.isEmpty()) {
      leftovers.unknown().forEach(log.v(2)::warn);
    } else {
      failed = remove(leftovers);
    }
    draining.start(options);
    if (!failed.isEmpty()) {
      throw new BackendException(ErrorCode.TAKEOVER, String.join("; ", failed));
    }
  }

  /** Returns what could not be removed, and why. */
  private List<String> remove(Leftovers leftovers) {
    Leftovers.Removal removal = leftovers.remove();
    removal.removed().forEach(what -> log.info("Removed what kube-proxy left", "what", what));
    removal
        .unknown()
        .forEach(what ->
            log.error(
                "Could not remove what kube-proxy left", "code", ErrorCode.TAKEOVER, "what", what));
    return removal.failed();
  }

  @Override
  public void close() {
    draining.close();
  }
}
