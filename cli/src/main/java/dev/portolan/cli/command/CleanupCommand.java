package dev.portolan.cli.command;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.modes.KernelMode;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeSettings;
import dev.portolan.netlink.NamespaceLock;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Nftables.TableInfo;
import dev.portolan.options.BackendOptions;
import dev.portolan.options.NetworkNamespaceOption;
import dev.portolan.options.OtherBackend;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.takeover.TakeoverOptions.Own;
import dev.portolan.takeover.TakeoverOptions.Scope;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes what Portolan wrote, and nothing that somebody else did unless it is asked to. */
@Command(
    name = "cleanup",
    header = "Remove all rules that Portolan wrote.",
    customSynopsis = {
      "portolan cleanup [--netns NAME|PATH] [--dry-run]",
      "       portolan cleanup --nftables-table NAME [--netns NAME|PATH] [--force]"
    },
    sortOptions = false,
    footerHeading =
        "%nFinds tables, chains and virtual servers by Portolan's mark, whatever backend%nwrote"
            + " them, and programs of eBPF where they are pinned. Prints what it removed. It is"
            + " safe to run it again.%n%nExamples:%n",
    footer = {
      "  portolan cleanup",
      "  portolan cleanup --netns my-node --dry-run",
      "  portolan cleanup --nftables-table kube-proxy"
    })
public final class CleanupCommand implements Callable<Integer> {
  /** A living proxy puts its rules back within this time, where it watches them. */
  private static final Duration SECOND_LOOK = Duration.ofMillis(500);

  private final Terminal terminal;

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      description =
          "Remove only the rules of one backend: nftables, ebpf, userspace, iptables or ipvs; the"
              + " first two share theirs. Chains of iptables, and virtual servers on the device of"
              + " ipvs, are removed even if a kube-proxy wrote them. Default: all that Portolan"
              + " wrote.")
  private @Nullable String backend;

  @Option(
      names = "--nftables-table",
      paramLabel = "NAME",
      description = "Remove only the tables of this name. Default: all with Portolan's mark.")
  private @Nullable String table;

  @Option(
      names = "--force",
      description = "Remove the tables of --nftables-table even if another program made them.")
  private boolean force;

  @Option(
      names = "--ebpf-pins",
      paramLabel = "PATH",
      description =
          "Where ebpf has pinned its programs and maps, if not in /sys/fs/bpf/portolan. Those of"
              + " another network namespace stay.")
  private Path pins = ModeSettings.Sockets.DEFAULT.pins();

  @Option(names = "--dry-run", description = "Print what would be removed, and remove nothing.")
  private boolean dryRun;

  @Mixin private final NetworkNamespaceOption namespace = new NetworkNamespaceOption();

  /** Prints to {@code terminal}. */
  public CleanupCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Scope scope = scope();
    Optional<Path> place = namespace.path();
    TakeoverOptions options =
        TakeoverOptions.of(Objects.requireNonNullElse(table, ""), Own.NOTHING, List.of())
            .pinnedTo(pins)
            .of(scope)
            .in(place);
    try {
      List<TableInfo> foreign = scope == Scope.TABLES_OF_NAME ? foreign(place) : List.of();
      refuseWhileInUse(scope, place);
      foreign.forEach(it -> terminal.remark(it + " was made by another program"));
      return remove(options);
    } catch (BackendException e) {
      throw e.code() == ErrorCode.FOREIGN_RULES
          ? CommandFailure.refused(e.code(), e.getMessage() + ", or remove it with --force")
          : CommandFailure.refused(e);
    } catch (NetlinkException e) {
      throw CommandFailure.refused(e);
    }
  }

  private Scope scope() {
    if (backend != null) {
      String chosen = Choice.of("--backend", backend, KernelModes.names());
      OtherBackend.refuse("--nftables-table", table != null, KernelModes.withTables(), chosen);
      OtherBackend.refuse("--force", force, KernelModes.withTables(), chosen);
    }
    if (table != null) {
      String _ = BackendOptions.table(table);
      return Scope.TABLES_OF_NAME;
    }
    if (force) {
      throw CommandFailure.usage("--force needs --nftables-table: the tables to remove");
    }
    return Optional.ofNullable(backend)
        .flatMap(KernelModes::named)
        .map(KernelMode::cleanup)
        .orElse(Scope.OURS);
  }

  /** The tables of the given name that are not ours; those that must stay are refused. */
  private List<TableInfo> foreign(Optional<Path> place) {
    NftablesOptions options =
        new NftablesOptions(
            Objects.requireNonNull(table), NftablesOptions.DEFAULT.masqueradeBit(), place);
    try (NftablesBackend opened =
        force ? NftablesBackend.forced(options) : new NftablesBackend(options)) {
      return opened.foreignTables();
    }
  }

  private void refuseWhileInUse(Scope scope, Optional<Path> place) {
    for (KernelMode one : KernelModes.ALL) {
      boolean concerned =
          scope == Scope.OURS
              || scope == one.cleanup()
              || (scope == Scope.TABLES_OF_NAME && one.cleanup() == Scope.OUR_TABLES);
      Optional<NamespaceLock.Holder> holder = NamespaceLock.holder(one.lock(), place);
      if (concerned && !dryRun && holder.isPresent()) {
        throw CommandFailure.refused(
            ErrorCode.LOCKED,
            "nothing removed from "
                + namespace
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
    try {
      TimeUnit.NANOSECONDS.sleep(SECOND_LOOK.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
    terminal.print(what + namespace + (lines.isEmpty() ? "" : ":"));
    lines.forEach(line -> terminal.print("  " + line));
  }

  private void warn(String sentence) {
    terminal.remark("warning: " + sentence);
  }
}
