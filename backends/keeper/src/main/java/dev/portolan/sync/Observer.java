package dev.portolan.sync;

import dev.portolan.conntrack.Cleaning;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.NodeChange;
import java.time.Duration;

/**
 * Notified of what a {@link Keeper} does, by the keeper's thread. It must not hold up the keeper
 * for long. What it throws is counted and logged, and the keeper goes on.
 */
public interface Observer {
  /**
   * The backend is now equal to {@code change.after()}; {@code took} is the time of the sync alone.
   */
  default void applied(NodeChange change, Duration took) {}

  /**
   * The backend cannot do all that was decided for a service; {@code what} says what, and what it
   * does instead. Called once for each service, until that changes.
   */
  default void fellShort(NamespacedName service, String what) {}

  /** A sync failed after {@code took}, and is tried again after {@code pause}. */
  default void failed(BackendException failure, Duration took, Duration pause) {}

  /** After a sync, flows that had gone stale were looked for and ended. */
  default void flowsEnded(Cleaning cleaning) {}

  /**
   * What is done once after the first sync failed; the sync itself succeeded. It is tried again
   * after {@code pause}.
   */
  default void notTakenOver(BackendException failure, Duration pause) {}

  /** Stale flows could not be ended; that is tried again after a pause that grows. */
  default void flowsNotEnded(BackendException failure) {}

  /**
   * What the backend wrote was compared with what is there; {@code differences} objects differed
   * and have been repaired. Called after each audit that succeeds, after the repairs that it leads
   * to, and after each full sync of a backend that audits, since that compares everything, too.
   */
  default void audited(int differences) {}

  /**
   * {@code objects} objects were not as the backend wrote them, because of {@code cause}, and have
   * been repaired.
   */
  default void repaired(int objects, String cause) {}

  /**
   * Another program keeps changing what the backend wrote: it was repaired {@code repairs} times in
   * a row, and {@link #repaired} was called for the first ones only. Called when that is noticed,
   * and from then on after each repair; these become rarer.
   *
   * @param cause who it is, as far as the backend knows
   * @param pause how long it is left as it is before the next repair
   */
  default void contested(int repairs, String cause, Duration pause) {}

  /** Nothing else has changed what the backend wrote for a while: the contest is over. */
  default void uncontested() {}

  /**
   * Rules are missing and cannot be put back: two repairs in a row failed, or another program
   * removes them again after each repair. Called once, until {@link #rulesInPlace}.
   */
  default void rulesMissing(String why) {}

  /** The rules that {@link #rulesMissing} reported are in place again. */
  default void rulesInPlace() {}

  /** A repair, or tidying up, failed; it is tried again. */
  default void notRepaired(BackendException failure) {}

  /** Tidying up failed, which {@link #notRepaired} reports, too. */
  default void notTidied() {}

  /** What {@link #notRepaired} reported has been done since. */
  default void recovered() {}
}
