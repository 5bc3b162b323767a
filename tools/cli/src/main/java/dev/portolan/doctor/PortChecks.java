package dev.portolan.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the daemon's ports are its own or free, and what it says of its health. */
record PortChecks(Subject subject, RunningDaemon daemon) {
  private static final int OK = 200;

  List<CheckResult> run() {
    List<CheckResult> results = new ArrayList<>();
    RunningDaemon.addresses(subject)
        .forEach((use, address) ->
            results.add(port(use, address, Optional.ofNullable(daemon.sockets().get(use)))));
    if (daemon.pid().isPresent()) {
      results.add(health());
    }
    return results;
  }

  private static CheckResult port(String use, String address, Optional<ListeningSocket> socket) {
    String id = "port." + use;
    if (socket.isEmpty()) {
      return CheckResult.ok(id, address + " is free; no daemon listens there");
    }
    ListeningSocket there = socket.get();
    if (there.isOurs()) {
      return CheckResult.ok(id, address + " is served by Portolan, " + there.owner());
    }
    if (there.pid().isEmpty()) {
      return CheckResult.unknown(
          id,
          address + " is in use by a process that cannot be seen",
          "run it as root, on the host");
    }
    return CheckResult.fail(
        id,
        address + " is in use by " + there.owner(),
        there.command().contains("kube-proxy")
            ? "remove that kube-proxy: only one proxy may run on a node"
            : "stop it, or choose another address with --"
                + (use.equals(RunningDaemon.METRICS) ? "metrics" : "healthz")
                + "-bind-address");
  }

  private CheckResult health() {
    String id = "daemon.health";
    String address = subject.configuration().healthzBindAddress();
    Optional<LocalPage> page =
        address.isEmpty()
            ? Optional.empty()
            : LocalPage.read(subject.namespace(), address, "/healthz");
    if (page.isEmpty()) {
      return CheckResult.unknown(
          id, "the daemon serves no health page", "set healthzBindAddress; see its log");
    }
    return page.get().status() == OK
        ? CheckResult.ok(id, "the daemon is healthy")
        : CheckResult.fail(
            id,
            "the daemon says " + page.get().status() + ": " + page.get().text().strip(),
            "see its log: syncs fail, rules are missing, or the node is being removed");
  }
}
