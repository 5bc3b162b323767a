package dev.portolan.options;

import dev.portolan.backend.exec.ExecBackend;
import dev.portolan.backend.exec.ExecOptions;
import dev.portolan.backend.iptables.IptablesBackend;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.NodeImage;
import dev.portolan.daemon.BackendLock;
import dev.portolan.daemon.ConfiguredRules;
import dev.portolan.daemon.StartCheck;
import dev.portolan.nftables.Nftables.TableInfo;
import dev.portolan.sync.Keeper;
import dev.portolan.takeover.Leftovers;
import dev.portolan.takeover.Takeover;
import dev.portolan.takeover.TakeoverOptions;
import dev.portolan.takeover.TakeoverOptions.Own;
import dev.portolan.takeover.TakeoverOptions.Scope;
import dev.portolan.terminal.Choice;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Text;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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
              + " the mode of --config, otherwise nftables.")
  private @Nullable String backend;

  @Option(
      names = "--nftables-table",
      paramLabel = "NAME",
      description =
          "The name of the tables, in families ip and ip6; use kube-proxy for tools that expect"
              + " that name. Default: portolan.")
  private @Nullable String table;

  @Option(
      names = {"--masquerade-bit", "--iptables-masquerade-bit"},
      paramLabel = "BIT",
      description =
          "The bit of the packet mark that requests masquerading, 0 to 31. Default: that"
              + " of --config, otherwise 14.")
  private @Nullable String masqueradeBit;

  @Option(
      names = "--iptables-variant",
      paramLabel = "VARIANT",
      description =
          "Which iptables to use: nft, legacy, or auto for the one that the host uses. Default:"
              + " auto.")
  private @Nullable String variant;

  private Optional<ProxyConfiguration> file = Optional.empty();

  /** What no option says is as in this configuration file. */
  public void follow(Optional<ProxyConfiguration> configuration) {
    file = configuration;
    if (backend == null) {
      file.flatMap(it -> StartCheck.mode(it.mode()))
          .ifPresent(error -> {
            throw CommandFailure.usage(
                "--config: " + Text.printable(error.toString()) + ", or choose with --backend");
          });
    }
  }

  /**
   * A backend, and how it is to be kept.
   *
   * @param claim the lock that it needs, if it programs a kernel
   */
  public record Chosen(
      Supplier<Opened> opening, Optional<BackendLock.Claim> claim, Keeper.Options keeping) {
    /** Opens the backend; nothing is written yet. */
    public Opened open() {
      return opening.get();
    }
  }

  /**
   * A backend that is open.
   *
   * @param preview what a first sync would change in the kernel, line by line
   * @param replaced what of another program's the first sync replaced
   * @param former what Portolan wrote before with another backend, or under another name
   */
  public record Opened(
      String description,
      Backend backend,
      Function<NodeImage, List<String>> preview,
      Supplier<List<String>> replaced,
      Supplier<Leftovers> former) {}

  /**
   * The backend that was named, at work in {@code namespace}, to be opened; what is wrong with the
   * options is said at once.
   *
   * @param tcp which flows of TCP end
   * @param force whether tables of another program may be replaced
   * @param log receives what a program prints, and what is done beside syncing
   */
  public Chosen choose(
      NetworkNamespaceOption namespace,
      TcpCleaning tcp,
      boolean force,
      ProgramOptions program,
      Consumer<String> log) {
    String chosen = Choice.of("--backend", toString(), KNOWN);
    refuseOptionsOfOthers(chosen);
    if (chosen.equals("exec")) {
      OtherBackend.refuse(
          "--conntrack-clean-tcp", tcp != TcpCleaning.NEVER, "nftables or iptables", chosen);
      OtherBackend.refuse("--force", force, "nftables", chosen);
      ExecOptions options = program.options(log).in(namespace.path());
      return new Chosen(
          () ->
              new Opened(
                  "telling " + program,
                  new ExecBackend(options),
                  image -> List.of(),
                  List::of,
                  () -> Leftovers.NONE),
          Optional.empty(),
          Keeper.Options.DEFAULT);
    }
    program.refuseFor(chosen);
    OtherBackend.refuse("--force", force, "nftables", chosen);
    Optional<Path> place = namespace.path();
    Keeper.Options keeping = Keeper.Options.DEFAULT.flows(tcp, place);
    Optional<BackendLock.Claim> claim =
        Optional.of(new BackendLock.Claim(chosen, place, "portolan run"));
    if (chosen.equals("iptables")) {
      IptablesOptions options = iptables(place);
      return new Chosen(() -> open(namespace, options), claim, keeping);
    }
    NftablesOptions options = nftables(place);
    return new Chosen(() -> open(namespace, options, force), claim, keeping);
  }

  private static Opened open(NetworkNamespaceOption namespace, IptablesOptions options) {
    IptablesBackend opened = new IptablesBackend(options);
    return new Opened(
        "programming " + namespace + " with " + opened.programs(IpFamily.IPV4),
        opened,
        opened::preview,
        () -> opened.tookOver() ? List.of("iptables chains") : List.of(),
        () ->
            former(
                "",
                opened.variant() == Variant.NFT ? Own.IPTABLES_NFT : Own.IPTABLES_LEGACY,
                options.namespace()));
  }

  private static Opened open(
      NetworkNamespaceOption namespace, NftablesOptions options, boolean force) {
    NftablesBackend opened = force ? NftablesBackend.forced(options) : new NftablesBackend(options);
    return new Opened(
        "programming " + namespace + " with nftables, table " + options.table(),
        opened,
        opened::preview,
        () -> opened.foreignTables().stream().map(TableInfo::toString).toList(),
        () -> former(options.table(), Own.NFTABLES, options.namespace()));
  }

  private static Leftovers former(String table, Own own, Optional<Path> namespace) {
    return Takeover.find(TakeoverOptions.of(table, own, List.of()).of(Scope.OURS).in(namespace));
  }

  private void refuseOptionsOfOthers(String chosen) {
    OtherBackend.refuse("--nftables-table", table != null, "nftables", chosen);
    OtherBackend.refuse("--iptables-variant", variant != null, "iptables", chosen);
    if (chosen.equals("exec")) {
      OtherBackend.refuse(
          "--masquerade-bit", masqueradeBit != null, "nftables or iptables", chosen);
    }
  }

  /** Whether the kernel is programmed with iptables; a backend without a kernel is refused. */
  public boolean isIptables() {
    String chosen = Choice.of("--backend", toString(), KERNEL);
    refuseOptionsOfOthers(chosen);
    return chosen.equals("iptables");
  }

  /** What the options say of the nftables backend, at work in {@code namespace}. */
  public NftablesOptions nftables(Optional<Path> namespace) {
    String name = table(Objects.requireNonNullElse(table, NftablesOptions.DEFAULT.table()));
    int usual =
        file.map(it -> it.nftables().masqueradeBit())
            .orElse(NftablesOptions.DEFAULT.masqueradeBit());
    return new NftablesOptions(name, masqueradeBit(usual), namespace);
  }

  /** What the options say of the iptables backend, at work in {@code namespace}. */
  public IptablesOptions iptables(Optional<Path> namespace) {
    Variant kind =
        switch (Choice.of(
            "--iptables-variant",
            Objects.requireNonNullElse(variant, "auto"),
            List.of("auto", "nft", "legacy"))) {
          case "nft" -> Variant.NFT;
          case "legacy" -> Variant.LEGACY;
          default -> Variant.AUTO;
        };
    IptablesOptions usual = file.map(ConfiguredRules::iptables).orElse(IptablesOptions.DEFAULT);
    return usual.withMasqueradeBit(masqueradeBit(usual.masqueradeBit())).with(kind).in(namespace);
  }

  private int masqueradeBit(int usual) {
    if (masqueradeBit == null) {
      return usual;
    }
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
    return KERNEL.contains(toString());
  }

  /** The backend that was named, else that of the file, else nftables. */
  @Override
  public String toString() {
    return backend != null ? backend : file.map(it -> it.mode().toString()).orElse("nftables");
  }
}
