package dev.portolan.testbase;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Decides whether a {@link NeedsVm} test can run here; {@code workshop/build/vm.sh} says where it
 * is.
 */
final class VmCondition implements ExecutionCondition {
  private static final String WHY =
      "it needs the kernel of the virtual machine, in which ./dev test runs it";

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if ("true".equals(System.getenv("PORTOLAN_VM"))) {
      return ConditionEvaluationResult.enabled("this is the virtual machine");
    }
    System.err.println("SKIPPED: " + context.getDisplayName() + " cannot run: " + WHY);
    return ConditionEvaluationResult.disabled(WHY);
  }
}
