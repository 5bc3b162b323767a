package dev.portolan.doctor;

import dev.portolan.config.fields.ProxyMode;
import dev.portolan.modes.KernelMode;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.KernelProbe;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether the kernel, and iptables' programs, can do what our rules need. */
record KernelChecks(Subject subject, ProxyMode mode) {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int MAJOR = 5;
  private static final int MINOR = 13;

  List<CheckResult> run() {
    return Stream.concat(
            Stream.of(version(System.getProperty("os.version", ""))),
            KernelModes.here().stream().map(this::part))
        .toList();
  }

  /** Which kernel it is, and whether mode nftables works on it. */
  CheckResult version(String release) {
    String id = "kernel.version";
    Matcher matcher = VERSION.matcher(release);
    if (!matcher.matches()) {
      return CheckResult.unknown(id, "unknown kernel '" + release + "'", "use Linux");
    }
    int major = Integer.parseInt(matcher.group(1));
    int minor = Integer.parseInt(matcher.group(2));
    boolean old = major < MAJOR || (major == MAJOR && minor < MINOR);
    if (!old) {
      return CheckResult.ok(id, "Linux " + release);
    }
    String finding =
        "Linux " + release + "; mode nftables needs " + MAJOR + "." + MINOR + " or later";
    String remedy = "update the kernel, or use mode iptables";
    return mode.isNftables()
        ? CheckResult.fail(id, finding, remedy)
        : CheckResult.warn(id, finding, remedy);
  }

  private CheckResult part(KernelMode checked) {
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
              : CheckResult.ok(id, finding + "; mode " + mode + " does not need it");
      case KernelProbe.LacksPart(String finding, String remedy) ->
          isUsed(checked)
              ? CheckResult.warn(id, finding, remedy)
              : CheckResult.ok(id, finding + "; mode " + mode + " does not need it");
    };
  }

  /** Whether the node is in that mode, or in one that has its rules too. */
  private boolean isUsed(KernelMode checked) {
    return checked.mode() == mode || (checked.mode() == ProxyMode.NFTABLES && mode.isNftables());
  }
}
