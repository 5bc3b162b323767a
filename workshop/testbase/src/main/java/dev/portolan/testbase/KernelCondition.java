package dev.portolan.testbase;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides whether a {@link NeedsKernel} test can run here. */
final class KernelCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<String> missing =
        AnnotationSupport.findAnnotation(context.getElement(), NeedsKernel.class)
            .flatMap(need -> missing(need.tools()));
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("root, and all programs are there");
    }
    String why = missing.get();
    if ("true".equals(System.getenv("CI"))) {
      throw new IllegalStateException(context.getDisplayName() + " cannot run: " + why);
    }
    System.err.println("SKIPPED: " + context.getDisplayName() + " cannot run: " + why);
    return ConditionEvaluationResult.disabled(why);
  }

  private static Optional<String> missing(String[] tools) {
    try {
      if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
        return Optional.of("it needs root");
      }
    } catch (IOException e) {
      return Optional.of("there is no /proc");
    }
    return Arrays.stream(tools)
        .filter(tool -> !isOnPath(tool))
        .findFirst()
        .map(tool -> "the program " + tool + " is missing; ./dev test installs it");
  }

  private static boolean isOnPath(String tool) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }
}
