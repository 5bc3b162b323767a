package dev.portolan.testkit.lab;

import org.junit.jupiter.api.Assumptions;

/** What the tests in the lab need of the machine; says so loudly, and fails in CI. */
public final class LabNeeds {
  private LabNeeds() {}

  /** Skips the test where the lab cannot be built, and fails it where CI is true. */
  public static void check() {
    String obstacle =
        Lab.obstacle().orElse(Command.exists("nft") ? "" : "the test needs nft: install nftables");
    if (!obstacle.isEmpty()) {
      if ("true".equals(System.getenv("CI"))) {
        throw new AssertionError(obstacle);
      }
      System.err.println("NOT TESTED: " + obstacle);
      Assumptions.abort(obstacle);
    }
  }
}
