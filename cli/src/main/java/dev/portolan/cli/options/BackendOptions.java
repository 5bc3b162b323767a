package dev.portolan.cli.options;

import dev.portolan.backend.exec.ExecBackend;
import dev.portolan.backend.exec.ExecOptions;
import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.IpFamily;
import dev.portolan.sync.Keeper;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which backend programs the kernel, and how. */
public final class BackendOptions {
  private static final List<String> KERNEL = List.of("nftables", "iptables");
  private static final List<String> KNOWN = List.of("nftables", "iptables", "exec");
  private static final Pattern BIT = Pattern.compile("[12]?[0-9]|3[01]");
  private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      description =
          "What to program: nftables or iptables; for 'run' also exec, your own program. Default:"
              + " nftables.")
  private String backend = "nftables";

  @Option(
      names = "--nftables-table",
      paramLabel = "NAME",
      description =
          "The name of the tables, in families ip and ip6; use kube-proxy for tools that expect"
              + " that name. Default: portolan.")
  private String table = NftablesOptions.DEFAULT.table();

  @Option(
      names = {"--masquerade-bit", "--iptables-masquerade-bit"},
      paramLabel = "BIT",
      description = "The bit of the packet mark that requests masquerading, 0 to 31. Default: 14.")
  private String masqueradeBit = Integer.toString(NftablesOptions.DEFAULT.masqueradeBit());

  @Option(
      names = "--iptables-variant",
      paramLabel = "VARIANT",
      description =
          "Which iptables to use: nft, legacy, or auto for the one that the host uses. Default:"
              + " auto.")
  private String variant = "auto";

  /** A backend, and how it is to be kept. */
  public record Chosen(String description, Backend backend, Keeper.Options keeping) {}

  /**
   * The backend that was named, at work in {@code namespace}, to be opened; what is wrong with the
   * options is said at once.
   *
   * @param log receives what a program prints
   */
  public Supplier<Chosen> choose(
      NetworkNamespaceOption namespace,
      TcpCleaning tcp,
      ProgramOptions program,
      Consumer<String> log) {
    if (Choice.of("--backend", backend, KNOWN).equals("exec")) {
      ExecOptions options = program.options(log);
      return () ->
          new Chosen("telling " + program, new ExecBackend(options), Keeper.Options.DEFAULT);
    }
    if (program.isGiven()) {
      throw CommandFailure.usage(
          "'" + program + "': a program needs --backend exec, but the backend is " + backend);
    }
    Keeper.Options keeping = Keeper.Options.DEFAULT.flows(tcp, namespace.path());
    if (isIptables()) {
      IptablesOptions options = iptables(namespace);
      return () -> {
        IptablesBackend opened = new IptablesBackend(options);
        return new Chosen(
            "programming " + namespace + " with " + opened.programs(IpFamily.IPV4),
            opened,
            keeping);
      };
    }
    NftablesOptions options = nftables(namespace);
    return () ->
        new Chosen(
            "programming " + namespace + " with nftables, table " + options.table(),
            new NftablesBackend(options),
            keeping);
  }

  /** Whether the kernel is programmed with iptables; a backend without a kernel is refused. */
  public boolean isIptables() {
    return Choice.of("--backend", backend, KERNEL).equals("iptables");
  }

  /** What the options say of the nftables backend, at work in {@code namespace}. */
  public NftablesOptions nftables(NetworkNamespaceOption namespace) {
    return new NftablesOptions(table(table), masqueradeBit(), namespace.path());
  }

  /** What the options say of the iptables backend, at work in {@code namespace}. */
  public IptablesOptions iptables(NetworkNamespaceOption namespace) {
    Variant kind =
        switch (Choice.of("--iptables-variant", variant, List.of("auto", "nft", "legacy"))) {
          case "nft" -> Variant.NFT;
          case "legacy" -> Variant.LEGACY;
          default -> Variant.AUTO;
        };
    IptablesOptions usual = IptablesOptions.DEFAULT;
    return new IptablesOptions(
            masqueradeBit(),
            usual.localhostNodePorts(),
            kind,
            usual.lockWait(),
            usual.lookEvery(),
            usual.largeClusterEndpoints(),
            usual.conntrackLiberal(),
            usual.namespace(),
            usual.programs())
        .in(namespace.path());
  }

  private int masqueradeBit() {
    if (!BIT.matcher(masqueradeBit).matches()) {
      throw CommandFailure.usage(
          "--masquerade-bit: '"
              + Text.printable(masqueradeBit)
              + "' must be a number between 0 and 31");
    }
    return Integer.parseInt(masqueradeBit);
  }

  /** The name of a table, if it is one that nft can read too. */
  public static String table(String name) {
    if (!TABLE.matcher(name).matches()) {
      throw CommandFailure.usage(
          "--nftables-table: '"
              + Text.printable(name)
              + "' is not a valid table name: a letter, then letters, digits, '-' and '_', at most"
              + " 63 characters");
    }
    return name;
  }

  /** Whether the backend leaves rules in a kernel. */
  public boolean isKernel() {
    return KERNEL.contains(backend);
  }

  /** The backend that was named. */
  @Override
  public String toString() {
    return backend;
  }
}
