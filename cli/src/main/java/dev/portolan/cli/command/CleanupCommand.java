package dev.portolan.cli.command;

import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.cli.options.BackendOptions;
import dev.portolan.cli.options.NetworkNamespaceOption;
import dev.portolan.core.backend.BackendException;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.nftables.Nftables;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes every trace of every backend. */
@Command(
    name = "cleanup",
    header = "Remove all rules that Portolan wrote.",
    customSynopsis = "portolan cleanup [--netns NAME|PATH] [--nftables-table NAME]",
    sortOptions = false,
    footerHeading = "%nPrints what it removed. It is safe to run it again.%n%nExamples:%n",
    footer = {
      "  portolan cleanup",
      "  portolan cleanup --netns my-node",
      "  portolan cleanup --nftables-table kube-proxy"
    })
public final class CleanupCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      description =
          "The backend whose rules are removed: nftables or iptables. The iptables chains have"
              + " kube-proxy's names, so they are removed only on request. Default: nftables.")
  private String backend = "nftables";

  @Option(
      names = "--nftables-table",
      paramLabel = "NAME",
      description = "The name of the tables. Default: portolan.")
  private String table = NftablesOptions.DEFAULT.table();

  @Mixin private final NetworkNamespaceOption namespace = new NetworkNamespaceOption();

  /** Prints to {@code terminal}. */
  public CleanupCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (Choice.of("--backend", backend, List.of("nftables", "iptables")).equals("iptables")) {
      return iptables();
    }
    String name = BackendOptions.table(table);
    Optional<Path> place = namespace.path();
    NftablesOptions options =
        new NftablesOptions(name, NftablesOptions.DEFAULT.masqueradeBit(), place);
    List<String> there;
    try (NftablesBackend nftables = new NftablesBackend(options)) {
      there = tables(options);
      nftables.cleanup();
    } catch (BackendException | NetlinkException e) {
      throw CommandFailure.refused(e);
    }
    terminal.print(
        there.isEmpty()
            ? "nothing to remove: " + namespace + " has no table " + name
            : "removed from " + namespace + ": " + String.join(", ", there));
    return 0;
  }

  private int iptables() {
    try (IptablesBackend iptables =
        new IptablesBackend(IptablesOptions.DEFAULT.in(namespace.path()))) {
      iptables.cleanup();
    } catch (BackendException e) {
      throw CommandFailure.refused(e);
    }
    terminal.print("removed from " + namespace + ": the iptables chains that kube-proxy uses too");
    return 0;
  }

  private static List<String> tables(NftablesOptions options) {
    List<String> there = new ArrayList<>();
    try (Nftables kernel = new Nftables(options.namespace())) {
      for (AddressFamily family : AddressFamily.values()) {
        if (kernel.tables(family).contains(options.table())) {
          there.add("table " + family.word() + " " + options.table());
        }
      }
    }
    return there;
  }
}
