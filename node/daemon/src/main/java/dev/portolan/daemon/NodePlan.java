package dev.portolan.daemon;

import dev.portolan.brain.UrgentServices;
import dev.portolan.config.NodeIps;
import dev.portolan.config.StartPlan;
import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.sync.Handover;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Pace;
import dev.portolan.wiring.NodeDaemon;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
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
   * What to keep in sync, once the node's addresses are decided.
   *
   * @param handover what a predecessor left may go after the first sync
   */
  static NodeDaemon.Plan of(
      String node, StartPlan plan, NodeIps addresses, Backend backend, Handover handover) {
    return new NodeDaemon.Plan(
        node,
        plan.decision().cluster(),
        plan.decision().node().with(families(addresses)),
        backend,
        keeping(plan, handover));
  }

  /** How the backend is kept. */
  static Keeper.Options keeping(StartPlan plan, Handover handover) {
    ProxyConfiguration configuration = plan.configuration();
    Duration period = configuration.syncPeriod();
    return Keeper.Options.DEFAULT
        .pace(new Pace(configuration.minSyncPeriod(), period, FULL_SYNC, period))
        .flows(
            TcpCleaning.parse(plan.flags().text("conntrack-clean-tcp")).orElseThrow(),
            Optional.empty())
        .urgent(UrgentServices::contain)
        .handover(handover);
  }

  private static Set<IpFamily> families(NodeIps addresses) {
    Set<IpFamily> families = EnumSet.copyOf(addresses.byFamily().keySet());
    Path network = Path.of("/proc/net");
    boolean withoutIpv6 = Files.exists(network) && !Files.exists(network.resolve("if_inet6"));
    if (withoutIpv6 && families.size() > 1) {
      families.remove(IpFamily.IPV6);
    }
    return families;
  }
}
