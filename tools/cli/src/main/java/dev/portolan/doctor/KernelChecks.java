package dev.portolan.doctor;

import dev.portolan.mode.KernelProbe;
import dev.portolan.mode.Mode;
import dev.portolan.modes.KernelModes;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether the kernel, and iptables' programs, can do what our rules need. */
record KernelChecks(Subject subject, Mode mode) {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int MINORS = 1000;

  List<CheckResult> run() {
    return Stream.concat(
            Stream.of(version(System.getProperty("os.version", ""))),
            KernelModes.here().stream().map(this::part))
        .toList();
  }

  /** Which kernel it is, and whether the modes work on it that not every kernel has. */
  CheckResult version(String release) {
    String id = "kernel.version";
    Optional<Integer> found = number(release);
    if (found.isEmpty()) {
      return CheckResult.unknown(id, "unknown kernel '" + release + "'", "use Linux");
    }
    for (Mode one : KernelModes.here()) {
      if (number(one.leastKernel()).filter(least -> found.get() < least).isPresent()) {
        String finding =
            "Linux "
                + release
                + "; mode "
                + one.word()
                + " needs "
                + one.leastKernel()
                + " or later";
        String remedy = "update the kernel, or use mode iptables";
        return isUsed(one)
            ? CheckResult.fail(id, finding, remedy)
            : CheckResult.warn(id, finding, remedy);
      }
    }
    return CheckResult.ok(id, "Linux " + release);
  }

  /** Releases as numbers of their order. */
  private static Optional<Integer> number(String release) {
    Matcher matcher = VERSION.matcher(release);
    return matcher.matches()
        ? Optional.of(
            Integer.parseInt(matcher.group(1)) * MINORS + Integer.parseInt(matcher.group(2)))
        : Optional.empty();
  }

  private CheckResult part(Mode checked) {
    String id = "kernel." + checked.kernelPart();
    return switch (checked
        .rules(subject.settings())
        .probe(SampleNode.image(subject), isUsed(checked))) {
      case KernelProbe.Works(String finding) -> CheckResult.ok(id, finding);
      case KernelProbe.Forbidden() ->
          CheckResult.unknown(
              id, "not permitted to ask the kernel", "run it as root or with CAP_NET_ADMIN");
      case KernelProbe.Lacks(String finding, String remedy) ->
          isUsed(checked)
              ? CheckResult.fail(id, finding, remedy)
              : CheckResult.ok(id, finding + "; mode " + mode.word() + " does not need it");
      case KernelProbe.LacksPart(String finding, String remedy) ->
          isUsed(checked)
              ? CheckResult.warn(id, finding, remedy)
              : CheckResult.ok(id, finding + "; mode " + mode.word() + " does not need it");
    };
  }

  /** Whether the node is in that mode, or in one that has its rules too. */
  private boolean isUsed(Mode checked) {
    return mode.equals(checked) || mode.includes().contains(checked);
  }
}
