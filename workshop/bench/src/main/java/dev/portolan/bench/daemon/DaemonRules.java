package dev.portolan.bench.daemon;

import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Nftables;
import dev.portolan.testkit.peers.IptablesFolder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules that daemons of one mode leave in a namespace. */
public interface DaemonRules extends AutoCloseable {
  /** The mode that makes such rules. */
  String mode();

  /** What a daemon finds in its environment. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /** How many services have rules, by the program whose nftables table has this name. */
  int services(String table);

  /** A number that differs when the rules do. */
  int generation();

  /** Whether asking for the number is cheap enough to do it all the time. */
  boolean isWatchable();

  /** Removes all rules. */
  void flush();

  @Override
  void close();

  /** A table of the program's own. */
  final class InNftables implements DaemonRules {
    private final BenchNamespace namespace;
    private final Nftables kernel;

    public InNftables(BenchNamespace namespace) throws IOException {
      this.namespace = namespace;
      this.kernel = new Nftables(Optional.of(namespace.path()));
    }

    @Override
    public String mode() {
      return "nftables";
    }

    @Override
    public int services(String table) {
      return kernel.tables(AddressFamily.IPV4).contains(table)
          ? kernel.elements(AddressFamily.IPV4, table, "service-ips").size()
          : 0;
    }

    @Override
    public int generation() {
      return kernel.generation();
    }

    @Override
    public boolean isWatchable() {
      return true;
    }

    @Override
    public void flush() {
      namespace.nft("", "flush", "ruleset");
    }

    @Override
    public void close() {
      kernel.close();
    }
  }

  /**
   * Chains of one kind of iptables. With iptables-nft kube-proxy, which writes everything in one
   * commit, does not finish ten thousand services in ten minutes.
   */
  final class InIptables implements DaemonRules {
    /** What the kubelet leaves to show which kind a host uses. */
    private static final String HINT = "*mangle\n:KUBE-IPTABLES-HINT - [0:0]\nCOMMIT\n";

    private static final String EMPTY = "*nat\nCOMMIT\n*filter\nCOMMIT\n";

    /**
     * Every how many services one has no chain: its policy is Local, and this node has no endpoint.
     */
    private static final int LOCAL_EVERY = 20;

    private final BenchNamespace namespace;
    private final String kind;
    private final IptablesFolder programs;

    /** Of the kind {@code legacy} or {@code nft}. */
    public InIptables(BenchNamespace namespace, String kind) {
      this.namespace = namespace;
      this.kind = kind;
      this.programs = new IptablesFolder(kind);
      flush();
    }

    @Override
    public String mode() {
      return "iptables";
    }

    @Override
    public Map<String, String> environment() {
      return programs.environment();
    }

    @Override
    public int services(String table) {
      int chains = (int) save().lines().filter(line -> line.startsWith(":KUBE-SVC-")).count();
      return chains * LOCAL_EVERY / (LOCAL_EVERY - 1);
    }

    @Override
    public int generation() {
      return save().lines().filter(line -> line.startsWith("-A ")).toList().hashCode();
    }

    @Override
    public boolean isWatchable() {
      return false;
    }

    @Override
    public void flush() {
      for (String family : List.of("iptables", "ip6tables")) {
        BenchNamespace.run(namespace.inside(family + "-" + kind + "-restore"), EMPTY + HINT);
      }
    }

    private String save() {
      return BenchNamespace.run(namespace.inside("iptables-" + kind + "-save", "-t", "nat"), "");
    }

    @Override
    public void close() {
      programs.close();
    }
  }
}
