package dev.portolan.proxy;

import dev.portolan.config.NodeAddresses;
import dev.portolan.config.ProxyConfiguration;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.brain.NodeSettings;
import dev.portolan.core.brain.NodeSettings.LocalMode;
import dev.portolan.core.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Pace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a configuration means for this node. */
final class NodePlan {
  private static final Duration FULL_SYNC = Duration.ofHours(1);

  private NodePlan() {}

  /** The addresses in a Node, those inside the cluster first. */
  static List<Ip> addresses(Node node) {
    return Stream.concat(node.internalIps().stream(), node.externalIps().stream())
        .flatMap(text -> Ip.parse(text).stream())
        .toList();
  }

  /**
   * What is to be kept, once the node's addresses are decided.
   *
   * @param takeover done after the first sync
   */
  static NodeDaemon.Plan of(
      String node,
      ProxyConfiguration configuration,
      NodeAddresses addresses,
      Backend backend,
      Runnable takeover) {
    return new NodeDaemon.Plan(
        node,
        settings(configuration, addresses),
        backend,
        Keeper.Options.DEFAULT
            .pace(new Pace(configuration.minSyncPeriod(), configuration.syncPeriod(), FULL_SYNC))
            .takeover(takeover));
  }

  private static NodeSettings settings(ProxyConfiguration configuration, NodeAddresses addresses) {
    LocalMode mode =
        Arrays.stream(LocalMode.values())
            .filter(one -> one.toString().equals(configuration.detectLocalMode()))
            .findFirst()
            .orElse(LocalMode.CLUSTER_CIDR);
    return new NodeSettings(
        mode,
        configuration.detectLocal().clusterCIDRs().stream().map(Cidr::of).toList(),
        mode == LocalMode.BRIDGE_INTERFACE
            ? configuration.detectLocal().bridgeInterface()
            : configuration.detectLocal().interfaceNamePrefix(),
        nodePorts(configuration),
        families(addresses),
        overrides(configuration),
        configuration.linux().masqueradeAll());
  }

  /** Nothing means all; in mode nftables the configuration has filled in what it means there. */
  private static NodePortChoice nodePorts(ProxyConfiguration configuration) {
    List<String> wanted = configuration.nodePortAddresses();
    return NodePortChoice.parse(wanted.isEmpty() ? List.of("all") : wanted);
  }

  private static Set<IpFamily> families(NodeAddresses addresses) {
    Set<IpFamily> families = EnumSet.copyOf(addresses.byFamily().keySet());
    if (!Files.exists(Path.of("/proc/net/if_inet6")) && families.size() > 1) {
      families.remove(IpFamily.IPV6);
    }
    return families;
  }

  private static List<Ip> overrides(ProxyConfiguration configuration) {
    List<Ip> ips = new ArrayList<>();
    configuration.nodeIPOverride().forEach(text -> Ip.parse(text).ifPresent(ips::add));
    return ips;
  }
}
