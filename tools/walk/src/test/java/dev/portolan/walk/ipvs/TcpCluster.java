package dev.portolan.walk.ipvs;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.packets.PacketTable;

/** The cluster of the packet tables with TCP alone: kube-proxy runs a program for each address. */
final class TcpCluster {
  private TcpCluster() {}

  static ClusterDelta delta() {
    ClusterImage all = PacketTable.cluster();
    ClusterDelta.Builder some = ClusterDelta.builder();
    all.nodes().forEach((name, node) -> some.set(node));
    all.slices().forEach((name, slice) -> some.set(slice));
    all.services().forEach((name, service) -> some.set(onlyTcp(service)));
    return some.build();
  }

  private static Service onlyTcp(Service service) {
    return service.toBuilder()
        .ports(service.ports().stream().filter(port -> port.protocol() == Protocol.TCP).toList())
        .build();
  }
}
