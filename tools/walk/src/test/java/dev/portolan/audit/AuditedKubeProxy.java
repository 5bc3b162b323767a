package dev.portolan.audit;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.modes.KernelModes;
import dev.portolan.modes.ModeConfiguration;
import dev.portolan.packets.PacketTable;
import dev.portolan.testbase.Await;
import dev.portolan.testkit.Tampering;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.iptables.IptablesRuleset;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A node of the lab that the real kube-proxy has programmed, with the cluster of packet tables or
 * another.
 */
final class AuditedKubeProxy implements TamperedNode {
  private final Lab lab;
  private final String mode;
  private final NodeImage image;
  private final IptablesCopy copy;
  private boolean copied;

  /** Lets kube-proxy write its rules, and ends it; the rules stay. */
  AuditedKubeProxy(Lab lab, String mode, NodeSettings settings) {
    this(lab, mode, settings, PacketTable.cluster());
  }

  /** The same with another cluster. */
  AuditedKubeProxy(Lab lab, String mode, NodeSettings settings, ClusterImage cluster) {
    this.lab = lab;
    this.mode = mode;
    this.copy = new IptablesCopy(lab.node(), "iptables-nft");
    Brain brain = new Brain(warning -> {});
    brain.apply(cluster);
    this.image = brain.open(Actor.NODE_NAME, settings).decision().image();
    try (KubeProxyNode node = new KubeProxyNode(lab.node(), mode, settings)) {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, cluster));
      AuditResult _ = Await.until("all of its rules", this::audit, AuditResult::isClean);
    }
  }

  @Override
  public AuditResult audit() {
    Optional<Path> namespace = Optional.of(lab.node().path());
    Ruleset rules =
        isNftables()
            ? NftRuleset.read(namespace)
            : IptablesRuleset.read(Variant.NFT, namespace).orElseThrow();
    return new KernelAudit(
            KernelModes.named(mode).orElseThrow().rules(ModeConfiguration.byDefault()).dataplane(),
            rules,
            NodeInterfaces.read(namespace, image.facts()),
            Optional.empty())
        .compare(image);
  }

  @Override
  public void tamper(Tampering tampering) {
    if (!isNftables()) {
      copy.take();
    } else if (!copied) {
      run("nft -s list ruleset > $FILE");
      copied = true;
    }
    lab.node().exec("sh", "-ec", tampering.script(copy.iptables(), "kube-proxy"));
  }

  @Override
  public void restore() {
    if (isNftables()) {
      run("nft flush ruleset; nft -f $FILE");
    } else {
      run("nft flush ruleset");
      copy.putBack();
    }
  }

  private boolean isNftables() {
    return mode.equals("nftables");
  }

  private void run(String commands) {
    lab.node().exec("sh", "-ec", "FILE=/tmp/" + lab.node().name() + ".nft; " + commands);
  }

  @Override
  public void close() {
    copy.delete();
    run("nft flush ruleset; rm -f $FILE");
  }
}
