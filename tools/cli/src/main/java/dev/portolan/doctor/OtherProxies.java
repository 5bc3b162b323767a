package dev.portolan.doctor;

import dev.portolan.core.net.Cidr;
import dev.portolan.mode.Mode;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import java.util.List;

/** Whether another proxy's rules are on the node; they would be met before or after ours. */
record OtherProxies(Subject subject, Mode mode, RunningDaemon daemon) {
  private static final String ID = "proxy.other";

  List<CheckResult> run() {
    List<Cidr> excluded =
        subject.configuration().ipvs().excludeCIDRs().stream()
            .flatMap(text -> Cidr.parse(text).stream())
            .toList();
    Leftovers found =
        Takeover.find(
            ModeConfiguration.leftovers(subject.settings(), subject.rules(mode).own(), excluded)
                .in(subject.namespace()));
    if (!found.isEmpty()) {
      return List.of(
          CheckResult.warn(
              ID,
              "another proxy, or another mode, has left rules: " + String.join("; ", found.lines()),
              daemon.pid().isPresent()
                  ? "the daemon removes them after its first sync, unless it runs with"
                      + " --keep-leftovers; if they come back, another proxy still runs: stop it"
                  : "stop that proxy, then run 'portolan kube-proxy --cleanup', or start the"
                      + " daemon, which removes them after its first sync"));
    }
    return List.of(
        found.unknown().isEmpty()
            ? CheckResult.ok(ID, "no rules of another proxy")
            : CheckResult.unknown(
                ID, String.join("; ", found.unknown()), "run it as root on the node"));
  }
}
