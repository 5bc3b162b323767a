package dev.portolan.doctor;

import dev.portolan.mode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What this process, and the daemon if it runs, are allowed to do. */
record CapabilityChecks(KernelFiles files, Mode mode, Subject subject, RunningDaemon daemon) {
  /** A capability with its number in the kernel, and what it is for. */
  private enum Capability {
    NET_ADMIN(12, "rules, connection tracking and settings of the network"),
    NET_RAW(13, "iptables-legacy"),
    SYS_ADMIN(21, "--netns"),
    SYS_RESOURCE(24, "a lower oom_score_adj"),
    BPF(39, "programs and maps of eBPF");

    private final int bit;
    private final String use;

    Capability(int bit, String use) {
      this.bit = bit;
      this.use = use;
    }

    boolean isIn(long effective) {
      return (effective >> bit & 1) != 0;
    }
  }

  List<CheckResult> run() {
    List<CheckResult> results = new ArrayList<>();
    results.add(of("process.capabilities", "this process", "/proc/thread-self/status", true));
    daemon
        .pid()
        .ifPresent(pid ->
            results.add(
                of(
                    "process.daemon",
                    "the daemon (pid " + pid + ")",
                    "/proc/" + pid + "/status",
                    false)));
    return results;
  }

  private CheckResult of(String id, String who, String file, boolean own) {
    OptionalLong effective = effective(file);
    if (effective.isEmpty()) {
      return CheckResult.unknown(id, file + " does not say what " + who + " may do", "run as root");
    }
    List<String> lacking = new ArrayList<>();
    for (Capability capability : Capability.values()) {
      boolean asked = own ? subject.namespace().isPresent() : subject.configured();
      boolean matters =
          switch (capability) {
            case NET_ADMIN -> true;
            case NET_RAW -> mode.capabilities().contains(capability.name());
            case BPF ->
                mode.capabilities().contains(capability.name())
                    && !Capability.SYS_ADMIN.isIn(effective.getAsLong());
            case SYS_ADMIN -> own && asked;
            case SYS_RESOURCE -> !own && asked && subject.configuration().linux().oomScoreAdj() < 0;
          };
      if (matters && !capability.isIn(effective.getAsLong())) {
        lacking.add("CAP_" + capability + " (for " + capability.use + ")");
      }
    }
    if (lacking.isEmpty()) {
      return CheckResult.ok(id, who + " has what mode " + mode.word() + " needs");
    }
    String finding = who + " lacks " + String.join(", ", lacking);
    String remedy =
        own
            ? "run it as root, or with these capabilities"
            : "add them to securityContext.capabilities of its container, or to its unit";
    return lacking.getFirst().startsWith("CAP_NET_ADMIN")
        ? own ? CheckResult.unknown(id, finding, remedy) : CheckResult.fail(id, finding, remedy)
        : CheckResult.warn(id, finding, remedy);
  }

  private OptionalLong effective(String file) {
    return files.lines(file).stream()
        .flatMap(List::stream)
        .filter(line -> line.startsWith("CapEff:"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
        .findFirst();
  }
}
