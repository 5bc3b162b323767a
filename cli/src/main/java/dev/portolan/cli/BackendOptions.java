package dev.portolan.cli;

import dev.portolan.backend.nftables.NftablesOptions;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which backend programs the kernel, and how. */
final class BackendOptions {
  private static final List<String> KNOWN = List.of("nftables");
  private static final Pattern BIT = Pattern.compile("[12]?[0-9]|3[01]");
  private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      description = "What programs the kernel: nftables. Unset: nftables.")
  private String backend = "nftables";

  @Option(
      names = "--nftables-table",
      paramLabel = "NAME",
      description =
          "The tables' name, in the families ip and ip6; kube-proxy for tools that look for"
              + " that. Unset: portolan.")
  private String table = NftablesOptions.DEFAULT.table();

  @Option(
      names = {"--masquerade-bit", "--iptables-masquerade-bit"},
      paramLabel = "BIT",
      description = "Which bit of a packet's mark asks for masquerading, 0 to 31. Unset: 14.")
  private String masqueradeBit = Integer.toString(NftablesOptions.DEFAULT.masqueradeBit());

  /** What the options say of the nftables backend, at work in {@code namespace}. */
  NftablesOptions nftables(NetworkNamespaceOption namespace) {
    String _ = Choice.of("--backend", backend, KNOWN);
    if (!BIT.matcher(masqueradeBit).matches()) {
      throw CommandFailure.usage(
          "--masquerade-bit: '"
              + Text.printable(masqueradeBit)
              + "' is not a number between 0 and 31");
    }
    return new NftablesOptions(table(table), Integer.parseInt(masqueradeBit), namespace.path());
  }

  /** The name of a table, if it is one that nft can read too. */
  static String table(String name) {
    if (!TABLE.matcher(name).matches()) {
      throw CommandFailure.usage(
          "--nftables-table: '"
              + Text.printable(name)
              + "' is no name: a letter, then letters, digits, '-' and '_', at most 63");
    }
    return name;
  }

  /** The backend that was named. */
  @Override
  public String toString() {
    return backend;
  }
}
