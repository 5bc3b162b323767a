package dev.portolan.cli.command;

import dev.portolan.config.fields.ProxyConfiguration;
import dev.portolan.config.fields.ProxyMode;
import dev.portolan.config.file.ConfigFile;
import dev.portolan.config.gates.FeatureGates;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.migration.LiveIpvs;
import dev.portolan.migration.LiveServer;
import dev.portolan.migration.Migration;
import dev.portolan.migration.ThisNode;
import dev.portolan.netlink.conntrack.Flow;
import dev.portolan.netlink.ipvs.RealServer;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.VirtualService;
import dev.portolan.takeover.IpvsDrain;
import dev.portolan.takeover.IpvsServer;
import java.util.List;
import java.util.Map;

/** Looks at this host, which is to move to another mode. */
final class MigratingHost {
  private static final Map<Protocol, Integer> PROTOCOLS =
      Map.of(Protocol.TCP, Flow.TCP, Protocol.UDP, Flow.UDP, Protocol.SCTP, Flow.SCTP);

  private MigratingHost() {}

  /** This host under the new configuration. */
  static ThisNode look(ProxyMode mode, ConfigFile present, FeatureGates gates) {
    HostSurvey survey =
        HostSurvey.of(
            ProxyConfiguration.of(Migration.settings(mode, present.written(), gates.emulated())));
    return new ThisNode(
        survey.kernel(),
        survey.obstacle(),
        survey.found(),
        survey.unread(),
        new LiveIpvs(survey.ipvs().stream().map(MigratingHost::live).toList(), IpvsDrain.LIMIT));
  }

  private static LiveServer live(IpvsServer server) {
    VirtualService service = server.entry().service();
    return new LiveServer(
        service.toString(),
        PROTOCOLS.entrySet().stream()
            .filter(entry -> service.mark() == 0 && entry.getValue() == service.protocol())
            .map(entry ->
                new LiveServer.Place(
                    entry.getKey(), Ip.fromBytes(service.address().getAddress()), service.port()))
            .findFirst(),
        switch (server.owner()) {
          case PROXY -> LiveServer.Owner.PROXY;
          case EXCLUDED -> LiveServer.Owner.EXCLUDED;
          case OTHER -> LiveServer.Owner.OTHER;
        },
        server.entry().settings().scheduler(),
        server.entry().settings().isPersistent() ? server.entry().settings().timeout() : 0,
        server.real().stream().map(MigratingHost::live).toList(),
        List.of());
  }

  private static LiveServer.Real live(ServerEntry entry) {
    RealServer server = entry.server();
    return new LiveServer.Real(
        server.toString(),
        server.weight(),
        switch (server.method()) {
          case RealServer.NAT -> "masquerade";
          case RealServer.LOCAL -> "local";
          case RealServer.TUNNEL -> "tunnel";
          case RealServer.ROUTE -> "route";
          default -> "bypass";
        },
        entry.active(),
        entry.inactive(),
        entry.persistent());
  }
}
