package dev.portolan.audit;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Lab;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeRules;
import dev.portolan.modes.ModeSettings;
import dev.portolan.modes.OpenBackend;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.iptables.IptablesRuleset;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.Optional;

/** A node of the lab that one of our backends has programmed with the cluster of packet tables. */
final class AuditedNode implements AutoCloseable {
  private final Lab lab;
  private final Kind kind;
  private final NodeUnderTest node;
  private final ModeRules rules;

  /** What is programmed. */
  enum Kind {
    NFTABLES("nftables", Variant.AUTO),
    IPTABLES_NFT("iptables", Variant.NFT),
    IPTABLES_LEGACY("iptables", Variant.LEGACY);

    private final String mode;
    private final Variant variant;

    /** The program that shows and changes such rules. */
    String iptables() {
      return variant == Variant.NFT ? "iptables-nft" : "iptables-legacy";
    }

    Kind(String mode, Variant variant) {
      this.mode = mode;
      this.variant = variant;
    }
  }

  AuditedNode(Lab lab, Kind kind, NodeSettings settings) {
    this.lab = lab;
    this.kind = kind;
    this.rules =
        KernelModes.named(kind.mode)
            .orElseThrow()
            .rules(ModeSettings.byDefault().with(kind.variant).in(namespace()));
    this.node = new NodeUnderTest(lab.node(), () -> rules.open().backend(), settings);
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
    lab.node().run(() -> node.backend().tidy());
  }

  private Optional<Path> namespace() {
    return Optional.of(lab.node().path());
  }

  /** Compares its kernel with what it was programmed with. */
  AuditResult audit() {
    OpenBackend opened = rules.open();
    try (Backend _ = opened.backend()) {
      return new KernelAudit(
              rules.dataplane(),
              read(),
              NodeInterfaces.read(namespace(), node.image().facts()),
              Optional.of(opened.drift()::apply))
          .compare(node.image());
    }
  }

  private Ruleset read() {
    return kind == Kind.NFTABLES
        ? NftRuleset.read(namespace())
        : IptablesRuleset.read(kind.variant, namespace()).orElseThrow();
  }

  /** Runs commands of a shell on the node. */
  void run(String commands) {
    lab.node().exec("sh", "-ec", commands);
  }

  /** Lets {@code work} change the rules of iptables, and puts back what was there. */
  void restoringIptables(Runnable work) {
    String six = kind.iptables().replace("iptables", "ip6tables");
    String file = "/tmp/" + lab.node().name();
    run(kind.iptables() + "-save > " + file + ".4");
    run(six + "-save > " + file + ".6");
    try {
      work.run();
    } finally {
      run(kind.iptables() + "-restore < " + file + ".4");
      run(six + "-restore < " + file + ".6");
      run(kind.iptables() + " -t raw -F; rm " + file + ".4 " + file + ".6");
    }
  }

  /** Lets {@code work} change tables of nftables, and takes away those that it made. */
  void restoringTables(Runnable work) {
    try {
      work.run();
    } finally {
      run(
          "for name in firewall another; do for family in ip ip6 inet; do"
              + " nft delete table $family $name 2> /dev/null || true; done; done");
    }
  }

  @Override
  public void close() {
    node.close();
  }
}
