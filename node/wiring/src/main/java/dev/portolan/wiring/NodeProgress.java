package dev.portolan.wiring;

import dev.portolan.core.text.Tree;
import java.time.Duration;
import java.util.Optional;

/**
 * How far a node has come with what is decided for it.
 *
 * @param revision the newest one of the node
 * @param applied the newest one that it says it has applied; 0 where it says nothing
 * @param lag for how long it has been behind; zero if it is not
 * @param error why it could not apply a newer one; empty where nothing failed
 * @param audit what its last audit found, in words; empty where it made none
 * @param repairs how often drift was repaired; empty where that is not known
 */
@Tree.Fields("revision applied lagSeconds connected error repairs audit")
public record NodeProgress(
    String node,
    long revision,
    long applied,
    Duration lag,
    boolean connected,
    String error,
    String audit,
    @Tree.OmitEmpty @Tree.Named("driftRepairs") Optional<Long> repairs) {
  /** Nothing is known. */
  public static final NodeProgress UNKNOWN =
      new NodeProgress("", 0, 0, Duration.ZERO, false, "", "", Optional.empty());

  long lagSeconds() {
    return lag.toSeconds();
  }
}
