package dev.portolan.doctor;

import dev.portolan.core.backend.BackendException;
import dev.portolan.mode.Mode;
import dev.portolan.netlink.NetlinkException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Runs all checks on a node. */
public final class Doctor {
  private Doctor() {}

  /** Results that belong together. */
  @FunctionalInterface
  private interface Look {
    List<CheckResult> look();
  }

  /** Looks at everything; a look that fails is itself a result, and keeps no other from running. */
  public static List<CheckResult> examine(Subject subject) {
    RunningDaemon daemon = RunningDaemon.find(subject);
    Mode mode = subject.mode(daemon);
    KernelFiles files = new KernelFiles(subject.namespace());
    List<CheckResult> results = new ArrayList<>();
    add(results, "kernel", () -> new KernelChecks(subject, mode).run());
    add(results, "kernel.modules", () -> new ModuleCheck(files, mode).run());
    add(results, "process", () -> new CapabilityChecks(files, mode, subject, daemon).run());
    add(results, "sysctl", () -> new SysctlChecks(subject, files, mode).run());
    add(results, "conntrack", () -> ConntrackTable.read(files).check());
    add(results, "proxy", () -> new OtherProxies(subject, mode, daemon).run());
    add(results, "firewall", () -> new FirewallChecks(subject, mode).run());
    add(results, "rules", () -> new DriftCheck(subject, mode).run());
    add(results, "port", () -> new PortChecks(subject, daemon).run());
    add(results, "disk", () -> new FolderChecks(subject, mode).run());
    add(results, "api", () -> ApiChecks.run(subject));
    return results;
  }

  private static void add(List<CheckResult> results, String id, Look look) {
    try {
      results.addAll(look.look());
    } catch (BackendException | NetlinkException | UncheckedIOException e) {
      results.add(
          CheckResult.unknown(
              id,
              "could not be checked: " + e.getMessage(),
              "run it as root on the node, in its network namespace"));
    }
  }
}
