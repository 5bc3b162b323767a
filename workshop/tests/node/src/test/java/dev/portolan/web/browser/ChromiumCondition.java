package dev.portolan.web.browser;

import java.nio.file.Files;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides whether a {@link NeedsChromium} test can run here. */
final class ChromiumCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (Files.isExecutable(ChartBrowser.CHROMIUM)) {
      return ConditionEvaluationResult.enabled("Chromium is there");
    }
    String why =
        "the program " + ChartBrowser.CHROMIUM + " is missing; ./dev test installs chromium";
    if ("true".equals(System.getenv("CI"))) {
      throw new IllegalStateException(context.getDisplayName() + " cannot run: " + why);
    }
    System.err.println("SKIPPED: " + context.getDisplayName() + " cannot run: " + why);
    return ConditionEvaluationResult.disabled(why);
  }
}
