package dev.portolan.config;

import dev.portolan.brain.BrainSettings;
import dev.portolan.brain.FamilyPolicy;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.LocalMode;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.Balancing;
import java.util.List;

/** What a configuration says of how a cluster, and each node of it, is decided. */
public record DecisionSettings(BrainSettings cluster, NodeSettings node) {
  /** The gate that decides whether external IPs count. */
  private static final String EXTERNAL_IPS_GATE = "AllowServiceExternalIPs";

  /** What applies where there is no configuration. */
  public static final DecisionSettings DEFAULT =
      new DecisionSettings(BrainSettings.DEFAULT, NodeSettings.DEFAULT);

  /** Reads a checked configuration. Like kube-proxy, it serves a node whose object is deleted. */
  static DecisionSettings of(ProxyConfiguration configuration, FeatureGates gates) {
    return new DecisionSettings(
        new BrainSettings(gates.isOn(EXTERNAL_IPS_GATE), true), node(configuration));
  }

  /** The same with another balancing for services that do not ask for one. */
  public DecisionSettings with(Balancing.Kind balancing) {
    return new DecisionSettings(cluster.with(balancing), node);
  }

  private static NodeSettings node(ProxyConfiguration configuration) {
    ProxyConfiguration.DetectLocal local = configuration.detectLocal();
    LocalMode mode =
        LocalMode.parse(configuration.detectLocalMode()).orElse(LocalMode.CLUSTER_CIDR);
    return NodeSettings.DEFAULT
        .change()
        .localMode(mode)
        .clusterCidrs(local.clusterCIDRs().stream().map(Cidr::of).toList())
        .podInterface(
            mode == LocalMode.BRIDGE_INTERFACE
                ? local.bridgeInterface()
                : local.interfaceNamePrefix())
        .nodePortAddresses(nodePorts(configuration.nodePortAddresses()))
        .familyPolicy(FamilyPolicy.parse(configuration.ipFamilyPolicy()).orElse(FamilyPolicy.BOTH))
        .nodeIps(
            configuration.nodeIPOverride().stream().flatMap(s -> Ip.parse(s).stream()).toList())
        .masqueradeAll(configuration.linux().masqueradeAll())
        .build();
  }

  /** Nothing means all; in mode nftables the configuration has filled in what it means there. */
  private static NodePortChoice nodePorts(List<String> words) {
    return NodePortChoice.parse(words.isEmpty() ? List.of("all") : words);
  }
}
