package dev.portolan.testkit.peers;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides whether a {@link NeedsBuilt} test can run here. */
final class BuiltCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<String> missing =
        AnnotationSupport.findAnnotation(context.getElement(), NeedsBuilt.class).stream()
            .flatMap(need -> Stream.of(need.value()))
            .filter(peer -> Peers.find(peer).isEmpty())
            .findFirst()
            .map(peer -> "there is no " + peer + "; ./dev peers builds them");
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("all programs are built");
    }
    System.err.println("SKIPPED: " + context.getDisplayName() + " cannot run: " + missing.get());
    return ConditionEvaluationResult.disabled(missing.get());
  }
}
