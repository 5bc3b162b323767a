package dev.portolan.cli.command;

import dev.portolan.core.backend.Backend;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.mode.Mode;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Scope;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.netlink.NamespaceLock;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes rules from a kernel, and says which.
 *
 * @param place whose kernel it is, for a person
 * @param dryRun whether it only says so
 */
record RuleCleanup(Terminal terminal, String place, boolean dryRun) {
  /** A living proxy puts its rules back within this time, where it watches them. */
  private static final Duration SECOND_LOOK = Duration.ofMillis(500);

  /**
   * Which ones.
   *
   * @param table the only tables that are meant
   * @param force whether they go even if another program made them
   * @param pins where programs of eBPF are pinned
   */
  record Rules(
      Scope scope, Optional<Path> namespace, Optional<String> table, boolean force, Path pins) {}

  /** Removes them; returns the exit status. */
  int remove(Rules rules) {
    TakeoverOptions options =
        TakeoverOptions.of(rules.table.orElse(""), Set.of(), List.of())
            .pinnedTo(rules.pins)
            .of(rules.scope)
            .in(rules.namespace);
    try {
      List<String> foreign = rules.scope == Scope.TABLES_OF_NAME ? foreign(rules) : List.of();
      refuseWhileInUse(rules.scope, rules.namespace);
      foreign.forEach(it -> terminal.remark(it + " was made by another program"));
      return remove(options);
    } catch (NetlinkException e) {
      throw CommandFailure.refused(e);
    }
  }

  /** The tables of the given name that are not ours; those that must stay are refused. */
  private static List<String> foreign(Rules rules) {
    ModeSettings settings =
        ModeConfiguration.byDefault()
            .with(ModeConfiguration.table(), rules.table.orElseThrow())
            .forced(rules.force)
            .in(rules.namespace);
    OpenBackend opened = KernelModes.here().getFirst().rules(settings).open();
    try (Backend _ = opened.backend()) {
      return opened.replaced().get();
    }
  }

  private void refuseWhileInUse(Scope scope, Optional<Path> namespace) {
    for (Mode one : KernelModes.here()) {
      boolean concerned =
          scope == Scope.OURS
              || scope == one.cleanup()
              || (scope == Scope.TABLES_OF_NAME && one.cleanup() == Scope.OUR_TABLES);
      Optional<NamespaceLock.Holder> holder = NamespaceLock.holder(one.lock(), namespace);
      if (concerned && !dryRun && holder.isPresent()) {
        throw CommandFailure.refused(
            ErrorCode.LOCKED,
            "nothing removed from "
                + place
                + ": a running Portolan would put the rules of "
                + one.name()
                + " back: "
                + holder.get()
                + "; end it first");
      }
    }
  }

  private int remove(TakeoverOptions options) {
    Leftovers found = Takeover.find(options);
    List<String> stays = options.scope() == Scope.OURS ? chainsOfOthers(options) : List.of();
    if (dryRun || found.isEmpty()) {
      print(found.isEmpty() ? "nothing to remove from " : "would remove from ", found.lines());
      found.unknown().forEach(this::warn);
      stays.forEach(it -> terminal.remark("stays, because Portolan did not write it: " + it));
      return found.unknown().isEmpty() ? 0 : CommandFailure.FAILED;
    }
    Leftovers.Removal removal = found.remove();
    print("removed from ", removal.removed());
    removal.stayed().forEach(this::warn);
    stays.forEach(it -> terminal.remark("stays, because Portolan did not write it: " + it));
    lookAgain(options);
    return removal.isComplete() ? 0 : CommandFailure.FAILED;
  }

  /** The chains of iptables that a kube-proxy wrote; they stay unless they are asked for. */
  private static List<String> chainsOfOthers(TakeoverOptions options) {
    List<String> ours = Takeover.find(options).lines();
    return Takeover.find(options.of(Scope.CHAINS)).lines().stream()
        .filter(line -> !ours.contains(line))
        .toList();
  }

  private void lookAgain(TakeoverOptions options) {
    boolean _ = Threads.pause(SECOND_LOOK);
    Leftovers back = Takeover.find(options);
    if (!back.isEmpty()) {
      throw CommandFailure.refused(
          ErrorCode.TAKEOVER,
          "another program put back "
              + String.join(", ", back.lines())
              + "; end the proxy that runs there, then clean up again");
    }
  }

  private void print(String what, List<String> lines) {
    terminal.print(what + place + (lines.isEmpty() ? "" : ":"));
    lines.forEach(line -> terminal.print("  " + line));
  }

  private void warn(String sentence) {
    terminal.remark("warning: " + sentence);
  }
}
