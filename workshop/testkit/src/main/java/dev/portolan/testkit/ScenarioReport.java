package dev.portolan.testkit;

import java.util.List;

/**
 * How a scenario went.
 *
 * @param failures what was not as it should be, each with the file and the line; empty if all was
 * @param text the scenario with the expectations that would hold
 */
public record ScenarioReport(List<String> failures, String text) {
  public ScenarioReport {
    failures = List.copyOf(failures);
  }

  /** Whether everything was as it should be. */
  public boolean passed() {
    return failures.isEmpty();
  }

  /** Throws an AssertionError with all failures, if there are any. */
  public void orThrow() {
    if (!passed()) {
      throw new AssertionError(String.join("\n\n", failures));
    }
  }
}
