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
import dev.portolan.modes.ModeSettings;
import dev.portolan.packets.PacketTable;
import dev.portolan.testkit.peers.KubeProxyNode;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.iptables.IptablesRuleset;
import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A node of the lab that the real kube-proxy has programmed with the cluster of packet tables. */
final class AuditedKubeProxy implements AutoCloseable {
  private static final int MOST_SECONDS = 20;

  private final Lab lab;
  private final String mode;
  private final NodeImage image;

  /** Lets kube-proxy write its rules, and ends it; the rules stay. */
  AuditedKubeProxy(Lab lab, String mode, NodeSettings settings) {
    this.lab = lab;
    this.mode = mode;
    Brain brain = new Brain(warning -> {});
    brain.apply(PacketTable.cluster());
    this.image = brain.open(Actor.NODE_NAME, settings).decision().image();
    try (KubeProxyNode node = new KubeProxyNode(lab.node(), mode, settings)) {
      node.apply(ClusterDelta.between(ClusterImage.EMPTY, PacketTable.cluster()));
      settle();
    }
  }

  /** Its first rules may be from before it knew its own Node. */
  private void settle() {
    try {
      for (int i = 0; i < MOST_SECONDS && !audit().isClean(); i++) {
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Compares its kernel with what we decide. */
  AuditResult audit() {
    Optional<Path> namespace = Optional.of(lab.node().path());
    Ruleset rules =
        mode.equals("nftables")
            ? NftRuleset.read(namespace)
            : IptablesRuleset.read(Variant.NFT, namespace).orElseThrow();
    return new KernelAudit(
            KernelModes.named(mode).orElseThrow().rules(ModeSettings.byDefault()).dataplane(),
            rules,
            NodeInterfaces.read(namespace, image.facts()),
            Optional.empty())
        .compare(image);
  }

  /** Runs commands of a shell on the node. */
  void run(String commands) {
    lab.node().exec("sh", "-ec", commands);
  }

  /** Lets {@code work} change rules, and puts back what was there. */
  void restoring(Runnable work) {
    String file = "/tmp/" + lab.node().name();
    if (mode.equals("nftables")) {
      run("nft -s list ruleset > " + file + ".nft");
    } else {
      run("iptables-nft-save > " + file + ".4; ip6tables-nft-save > " + file + ".6");
    }
    try {
      work.run();
    } finally {
      run(
          mode.equals("nftables")
              ? "nft flush ruleset; nft -f " + file + ".nft; rm " + file + ".nft"
              : "nft flush ruleset; iptables-nft-restore < "
                  + file
                  + ".4; ip6tables-nft-restore < "
                  + file
                  + ".6; rm "
                  + file
                  + ".[46]");
    }
  }

  /** Removes all rules of the node. */
  @Override
  public void close() {
    run("nft flush ruleset");
  }
}
