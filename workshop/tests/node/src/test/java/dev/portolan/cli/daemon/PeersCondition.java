package dev.portolan.cli.daemon;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides whether a {@link NeedsPeers} test can run here. */
final class PeersCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<String> missing =
        AnnotationSupport.findAnnotation(context.getElement(), NeedsPeers.class)
            .flatMap(need -> missingTool(need.tools()));
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("all programs are there");
    }
    System.err.println("SKIPPED: " + context.getDisplayName() + " cannot run: " + missing.get());
    return ConditionEvaluationResult.disabled(missing.get());
  }

  private static Optional<String> missingTool(String[] tools) {
    String[] path = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1);
    return Stream.of(tools)
        .filter(
            tool -> Stream.of(path).noneMatch(folder -> Files.isExecutable(Path.of(folder, tool))))
        .findFirst()
        .map(tool -> "the program " + tool + " is missing");
  }
}
