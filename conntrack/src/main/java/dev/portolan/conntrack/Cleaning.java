package dev.portolan.conntrack;

import dev.portolan.core.net.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a {@link FlowCleaner} did after a sync: a pass for each family that it had to look at. */
public record Cleaning(List<Pass> passes) {
  /** Nothing was to be looked for. */
  public static final Cleaning NONE = new Cleaning(List.of());

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

  /** How many flows were deleted in all. */
  public int deleted() {
    return passes.stream().mapToInt(Pass::deleted).sum();
  }

  /** One of the flows that could not be deleted, and why, as a sentence. */
  public Optional<String> firstFailure() {
    return passes.stream().flatMap(pass -> pass.firstFailure.stream()).findFirst();
  }
}
