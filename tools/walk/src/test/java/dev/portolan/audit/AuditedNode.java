package dev.portolan.audit;

import dev.portolan.backend.iptables.IptablesMode;
import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.lab.Lab;
import dev.portolan.mode.ModeRules;
import dev.portolan.mode.ModeSettings;
import dev.portolan.mode.OpenBackend;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.packets.NodeUnderTest;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.Tampering;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.iptables.IptablesRuleset;
import dev.portolan.walk.ipvs.IpvsRuleset;
import dev.portolan.walk.kernel.KernelRulesets;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A node of the lab that one of our backends has programmed with the cluster of packet tables. */
final class AuditedNode implements TamperedNode {
  /** Takes away the tables that tamperings make, whether or not they are there. */
  private static final String WITHOUT_FOREIGN_TABLES =
      Stream.of("firewall", "another")
          .flatMap(name -> Stream.of("ip " + name, "ip6 " + name, "inet " + name))
          .map(table -> "add table " + table + "\ndelete table " + table + "\n")
          .collect(Collectors.joining());

  private final Lab lab;
  private final NodeUnderTest node;
  private final ModeRules rules;
  private final Function<Optional<Path>, Ruleset> reader;
  private final IptablesCopy copy;

  /** What is programmed. */
  enum Kind {
    NFTABLES("nftables", Variant.AUTO),
    IPTABLES_NFT("iptables", Variant.NFT),
    IPTABLES_LEGACY("iptables", Variant.LEGACY),
    IPVS("ipvs", Variant.AUTO);

    private final String mode;
    private final Variant variant;

    Kind(String mode, Variant variant) {
      this.mode = mode;
      this.variant = variant;
    }

    private Ruleset read(Optional<Path> namespace) {
      return switch (this) {
        case NFTABLES -> NftRuleset.read(namespace);
        case IPTABLES_NFT, IPTABLES_LEGACY ->
            IptablesRuleset.read(variant, namespace).orElseThrow();
        case IPVS ->
            KernelRulesets.read(namespace).stream()
                .filter(IpvsRuleset.class::isInstance)
                .findFirst()
                .orElseThrow();
      };
    }
  }

  AuditedNode(Lab lab, Kind kind, NodeSettings settings) {
    this(lab, kind, settings, PacketTable.cluster());
  }

  /** The same with another cluster. */
  AuditedNode(Lab lab, Kind kind, NodeSettings settings, ClusterImage cluster) {
    this(
        lab,
        kind.mode,
        ModeConfiguration.byDefault().with(IptablesMode.VARIANT, kind.variant),
        kind::read,
        settings,
        cluster);
  }

  /** Has the rules of a mode, which {@code reader} reads back. */
  AuditedNode(
      Lab lab,
      String mode,
      ModeSettings written,
      Function<Optional<Path>, Ruleset> reader,
      NodeSettings settings,
      ClusterImage cluster) {
    this.lab = lab;
    this.reader = reader;
    this.rules = KernelModes.named(mode).orElseThrow().rules(written.in(namespace()));
    this.node = new NodeUnderTest(lab.node(), () -> rules.open().backend(), settings);
    this.copy =
        new IptablesCopy(
            lab.node(),
            written.of(IptablesMode.VARIANT) == Variant.LEGACY
                ? "iptables-legacy"
                : "iptables-nft");
    node.apply(ClusterDelta.between(ClusterImage.EMPTY, cluster));
    lab.node().run(() -> node.backend().tidy());
  }

  private Optional<Path> namespace() {
    return Optional.of(lab.node().path());
  }

  @Override
  public AuditResult audit() {
    OpenBackend opened = rules.open();
    try (Backend _ = opened.backend()) {
      return new KernelAudit(
              rules.dataplane(),
              reader.apply(namespace()),
              NodeInterfaces.read(namespace(), node.image().facts()),
              Optional.of(opened.drift()::apply))
          .compare(node.image());
    }
  }

  /** Rules of iptables are copied before; all others a restart repairs. */
  @Override
  public void tamper(Tampering tampering) {
    if (isIptables()) {
      copy.take();
    }
    lab.node()
        .exec("sh", "-ec", tampering.script(copy.iptables(), String.join("", rules.tables())));
  }

  private boolean isIptables() {
    return rules.tables().isEmpty();
  }

  @Override
  public void restore() {
    if (isIptables()) {
      copy.putBack();
      return;
    }
    String _ = lab.node().execWith(WITHOUT_FOREIGN_TABLES, "nft", "-f", "-");
    node.restart();
    lab.node().run(() -> node.backend().tidy());
  }

  @Override
  public void close() {
    copy.delete();
    node.close();
  }
}
