package dev.portolan.daemon;

import dev.portolan.config.StartPlan;
import dev.portolan.config.gates.Platform;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Own;
import dev.portolan.sync.Handover;
import dev.portolan.takeover.Draining;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.telemetry.log.Log;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Takes over from a kube-proxy once our rules are in place: removes what it left, again where
 * another one came back and has ended.
 */
final class Succession {
  private final StartPlan plan;
  private final Log log;
  private final Draining draining;

  Succession(StartPlan plan, Log log) {
    this.plan = plan;
    this.log = log;
    this.draining = new Draining(log::info);
  }

  /** How many connections go on through what a kube-proxy left. */
  int connections() {
    return draining.connections();
  }

  /**
   * What the keeper does when the rules of {@code mode} are in place.
   *
   * @param done run once nothing of a kube-proxy stays that should not
   */
  Handover from(OpenBackend mode, OtherProxy beside, Runnable done) {
    return Handover.of(
        () ->
            mode.replaced()
                .get()
                .forEach(
                    what -> log.warn("Replaced rules that another program wrote", "what", what)),
        new Removals(
            beside,
            () -> hasLeftovers(mode.own()),
            () -> takeOver(mode.own()),
            draining::advance,
            done));
  }

  /** On Windows the first sync already replaced what a kube-proxy left. */
  private boolean takesOver() {
    return Platform.current() == Platform.LINUX && !plan.flags().truth("keep-leftovers");
  }

  private boolean hasLeftovers(Set<Own> own) {
    return takesOver() && !Takeover.find(KubeProxy.leftovers(plan, own)).isEmpty();
  }

  private void takeOver(Set<Own> own) {
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

  /** Removes what a kube-proxy left, when the rules are in place and whenever one has ended. */
  static final class Removals implements Handover {
    private final OtherProxy beside;
    private final BooleanSupplier hasLeft;
    private final Runnable takeOver;
    private final Handover draining;
    private final Runnable done;
    private Runnable wake = () -> {};
    private boolean begun;
    private boolean succeeded;

    /** Whether something is to be removed. */
    private volatile boolean isWanted = true;

    /** Whether what was to be removed may still be there. */
    private volatile boolean isUnderWay;

    /**
     * Nothing is removed yet.
     *
     * @param hasLeft whether there are rules of another proxy
     * @param takeOver removes them, and may begin a drain
     * @param done run after the first success
     */
    Removals(
        OtherProxy beside,
        BooleanSupplier hasLeft,
        Runnable takeOver,
        Handover draining,
        Runnable done) {
      this.beside = beside;
      this.hasLeft = hasLeft;
      this.takeOver = takeOver;
      this.draining = draining;
      this.done = done;
    }

    @Override
    public void onWork(Runnable notify) {
      wake = notify;
    }

    @Override
    public Optional<Duration> advance() {
      if (!begun) {
        begun = true;
        beside.watch(this::hasLeft, this::want);
      }
      Optional<Duration> next = draining.advance();
      if (isWanted || isUnderWay) {
        isUnderWay = true;
        isWanted = false;
        // What still runs would only write its rules again.
        if (!beside.isThere()) {
          takeOver.run();
          next = draining.advance();
        }
        isUnderWay = false;
      }
      if (!succeeded) {
        succeeded = true;
        done.run();
      }
      return next;
    }

    /** Whether there are leftovers, apart from those that are about to be removed. */
    boolean hasLeft() {
      return !isWanted && !isUnderWay && hasLeft.getAsBoolean();
    }

    /** Has what was left removed; any thread may call. */
    void want() {
      isWanted = true;
      wake.run();
    }
  }
}
