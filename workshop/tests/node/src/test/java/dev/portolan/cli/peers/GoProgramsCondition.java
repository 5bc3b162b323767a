package dev.portolan.cli.peers;

import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.peers.GoProgram;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Decides whether a {@link NeedsGoPrograms} test can run here. */
final class GoProgramsCondition implements ExecutionCondition {
  static final Path TREE = RepositoryRoot.resolve("");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<String> missing =
        Stream.of(GoProgram.values())
            .filter(program -> program.find(TREE).isEmpty())
            .findFirst()
            .map(program ->
                "there is no " + program.title() + " of these sources; ./dev peers builds it");
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("all programs are there");
    }
    System.err.println("SKIPPED: " + context.getDisplayName() + " cannot run: " + missing.get());
    return ConditionEvaluationResult.disabled(missing.get());
  }
}
