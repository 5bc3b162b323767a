package dev.portolan.testkit.windows;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides whether a {@link NeedsWindows} test can run here. */
final class WindowsCondition implements ExecutionCondition {
  private static final String WHY = "it needs Windows, which ./dev test has Wine for";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (HnsJournal.isHere()) {
      return ConditionEvaluationResult.enabled("this is Wine, with a Host Network Service of ours");
    }
    System.err.println("SKIPPED: " + context.getDisplayName() + " cannot run: " + WHY);
    return ConditionEvaluationResult.disabled(WHY);
  }
}
