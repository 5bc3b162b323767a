package dev.portolan.conformance;

import java.time.Duration;

/**
 * How much is asked of a candidate.
 *
 * @param transactions how many changes the churn has
 * @param services how many services the largest cluster has
 * @param endpoints how many endpoints the largest service has
 * @param patience how long a candidate may take to acknowledge a change
 */
public record Sizes(int transactions, int services, int endpoints, Duration patience) {
  /** What a real cluster may ask. */
  public static final Sizes FULL = new Sizes(400, 10_000, 5_000, Duration.ofSeconds(60));

  /** For tests that run often. */
  public static final Sizes SMALL = new Sizes(100, 500, 500, Duration.ofSeconds(20));

  /** The same with another timeout for an acknowledgement. */
  public Sizes withPatience(Duration patience) {
    return new Sizes(transactions, services, endpoints, patience);
  }
}
