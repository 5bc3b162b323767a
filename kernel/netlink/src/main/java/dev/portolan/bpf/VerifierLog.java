package dev.portolan.bpf;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel's verifier said about a program that it rejected. */
final class VerifierLog {
  /** {@code 12: (85) call ...}: the verifier looks at an instruction. */
  private static final Pattern STEP = Pattern.compile("^(\\d+): \\([0-9a-f]{2}\\) .*");

  /** Lines about how much work it was, and about where it came from. */
  private static final Pattern NOISE =
      Pattern.compile("^(processed \\d+ insns|verification time|stack depth|from \\d+ to |;).*");

  private VerifierLog() {}

  /** One sentence: which instruction, and why. */
  static String sentence(Code code, String log) {
    OptionalInt instruction = OptionalInt.empty();
    String reason = "";
    for (String line : log.lines().map(String::strip).toList()) {
      Matcher step = STEP.matcher(line);
      if (step.matches()) {
        instruction = OptionalInt.of(Integer.parseInt(step.group(1)));
        reason = "";
      } else if (!line.isEmpty() && !NOISE.matcher(line).matches() && !isState(line)) {
        reason = line;
      }
    }
    String why = reason.isEmpty() ? "the verifier gave no reason" : reason;
    return instruction.isEmpty()
        ? why
        : "instruction %d (%s): %s"
            .formatted(instruction.getAsInt(), code.line(instruction.getAsInt()), why);
  }

  /** {@code 0: R1=ctx() R10=fp0}: what registers hold. */
  private static boolean isState(String line) {
    return List.of(line.split(" ", -1)).stream()
        .allMatch(word -> word.matches("\\d+:|R\\d+(_\\w+)?=.*|fp-?\\d+(_\\w+)?=.*"));
  }
}
