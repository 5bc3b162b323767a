package dev.portolan.conntrack;

import dev.portolan.core.net.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was ended after a sync.
 *
 * @param passes one for each family whose flows a {@link FlowCleaner} had to look at
 * @param sockets what a {@link SocketCleaner} did, if it had to look for sockets
 */
public record Cleaning(List<Pass> passes, Optional<Sockets> sockets) {
  /** Nothing was to be looked for. */
  public static final Cleaning NONE = new Cleaning(List.of());

  /** Flows alone. */
  public Cleaning(List<Pass> passes) {
    this(passes, Optional.empty());
  }

  public Cleaning {
    passes = List.copyOf(passes);
  }

  /**
   * One pass over the flows of a family.
   *
   * @param examined how many flows the kernel showed
   * @param stale how many of them had to go, by why
   * @param alreadyGone how many of these had ended by themselves
   * @param failed how many the kernel would not delete
   * @param firstFailure names one of those and says why, as a sentence
   */
  public record Pass(
      IpFamily family,
      int examined,
      Map<StaleReason, Integer> stale,
      int deleted,
      int alreadyGone,
      int failed,
      Optional<String> firstFailure,
      Duration took) {
    public Pass {
      stale = Map.copyOf(stale);
    }
  }

  /**
   * One pass over the sockets of the node and its pods.
   *
   * @param namespaces how many network namespaces were looked at
   * @param examined how many sockets the kernel showed
   * @param ended how many of them were ended
   * @param obstacle why some could not be, as a sentence; the same one is reported once
   */
  public record Sockets(
      int namespaces, int examined, int ended, Optional<String> obstacle, Duration took) {}

  /** The same with what was done about sockets. */
  public Cleaning and(Optional<Sockets> ofSockets) {
    return new Cleaning(passes, ofSockets);
  }

  /** How many sockets were ended. */
  public int socketsEnded() {
    return sockets.map(Sockets::ended).orElse(0);
  }

  /** How many flows were deleted in all. */
  public int deleted() {
    int deleted = 0;
    for (Pass pass : passes) {
      deleted += pass.deleted;
    }
    return deleted;
  }

  /**
   * One of the flows that could not be deleted, and why, as a sentence; or why sockets were not.
   */
  public Optional<String> firstFailure() {
    for (Pass pass : passes) {
      if (pass.firstFailure.isPresent()) {
        return pass.firstFailure;
      }
    }
    return sockets.flatMap(Sockets::obstacle);
  }
}
