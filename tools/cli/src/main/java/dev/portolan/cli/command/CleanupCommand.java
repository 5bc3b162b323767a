package dev.portolan.cli.command;

import dev.portolan.config.gates.Platform;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeImage;
import dev.portolan.mode.Mode;
import dev.portolan.mode.OpenBackend;
import dev.portolan.mode.Scope;
import dev.portolan.mode.Setting.Use;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.options.BackendOptions;
import dev.portolan.options.ModeOption;
import dev.portolan.options.ModeOptions;
import dev.portolan.options.NetworkNamespaceOption;
import dev.portolan.options.OtherBackend;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import dev.portolan.terminal.Waiting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes what Portolan wrote, and rules of other programs only where an option asks for it. */
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
            + " them, and programs of eBPF for this network namespace where they are pinned. Prints what"
            + " it removed. It is safe to run it again.%n%nExamples:%n",
    footer = {
      "  portolan cleanup",
      "  portolan cleanup --netns my-node --dry-run",
      "  portolan cleanup --nftables-table kube-proxy"
    })
public final class CleanupCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin
  private final ModeOption backend =
      ModeOption.backend(
          "Remove only the rules of one backend: {modes}; the first two share theirs. Chains of"
              + " iptables, and virtual servers on the device of ipvs, are removed even if a"
              + " kube-proxy wrote them. Default: all that Portolan wrote.");

  @Option(
      names = "--nftables-table",
      paramLabel = "NAME",
      description = "Remove only the tables of this name. Default: all with Portolan's mark.")
  private @Nullable String table;

  @Option(
      names = "--force",
      description = "Remove the tables of --nftables-table even if another program made them.")
  private boolean force;

  @Mixin private final ModeOptions ofModes = new ModeOptions(Use.REMOVAL);

  @Option(names = "--dry-run", description = "Print what would be removed, and remove nothing.")
  private boolean dryRun;

  @Option(
      names = "--network-name",
      paramLabel = "NAME",
      description =
          "On Windows: the network of the Host Network Service that pods are in. Default: the"
              + " environment variable KUBE_NETWORK.")
  private String network = "";

  @Mixin private final NetworkNamespaceOption namespace = new NetworkNamespaceOption();

  /** Prints to {@code terminal}. */
  public CleanupCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Scope scope = scope();
    Optional<Path> place = namespace.path();
    String activity = dryRun ? "looking for rules" : "removing rules";
    try (Waiting _ = Waiting.busy(() -> activity, new Remarks(terminal))) {
      if (Platform.current() == Platform.WINDOWS) {
        return removeBalancers();
      }
      Path pins =
          ModeConfiguration.pins(ModeConfiguration.byDefault().choosing(ofModes.settings()));
      return new RuleCleanup(terminal, namespace.toString(), dryRun)
          .remove(new RuleCleanup.Rules(scope, place, Optional.ofNullable(table), force, pins));
    } catch (BackendException e) {
      throw e.code() == ErrorCode.FOREIGN_RULES
          ? CommandFailure.refused(e.code(), e.getMessage() + ", or remove it with --force")
          : CommandFailure.refused(e);
    }
  }

  /** On Windows all that is ours is load balancers, and endpoints behind them. */
  private int removeBalancers() {
    OtherBackend.refuse(
        "--nftables-table",
        table != null,
        KernelModes.withTables(),
        KernelModes.here().getFirst().name());
    OpenBackend opened =
        KernelModes.here()
            .getFirst()
            .rules(ModeConfiguration.byDefault().with(Map.of("winkernel.networkName", network)))
            .open();
    try (Backend backend = opened.backend()) {
      List<String> lines = opened.preview().apply(NodeImage.unsynced(""));
      if (!dryRun) {
        backend.cleanup();
      }
      terminal.print(
          (lines.isEmpty()
                  ? "nothing to remove from "
                  : dryRun ? "would remove from " : "removed from ")
              + namespace
              + (lines.isEmpty() ? "" : ":"));
      lines.forEach(line -> terminal.print("  " + line.replaceFirst("^- ", "")));
      return 0;
    }
  }

  private Scope scope() {
    String named = backend.value();
    if (named != null) {
      String chosen = BackendOptions.here(named).name();
      OtherBackend.refuse("--nftables-table", table != null, KernelModes.withTables(), chosen);
      OtherBackend.refuse("--force", force, KernelModes.withTables(), chosen);
    }
    if (table != null) {
      BackendOptions.checkTable(table);
      return Scope.TABLES_OF_NAME;
    }
    if (force) {
      throw CommandFailure.usage("--force needs --nftables-table: the tables to remove");
    }
    return Optional.ofNullable(named)
        .flatMap(KernelModes::named)
        .map(Mode::cleanup)
        .orElse(Scope.OURS);
  }
}
