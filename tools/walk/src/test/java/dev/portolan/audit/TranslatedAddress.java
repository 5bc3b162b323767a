package dev.portolan.audit;

import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.net.Ip;
import dev.portolan.lab.Actor;
import dev.portolan.packets.PacketTable;
import dev.portolan.source.file.Manifests;
import java.util.List;

/**
 * A node as clouds have it: its ExternalIP is on no interface, and translated on the way to it. It
 * is also the address of load balancers, as where the nodes themselves balance.
 */
final class TranslatedAddress {
  static final Ip ADDRESS = Ip.of("198.18.0.11");

  private static final String BALANCERS =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: idle, namespace: cloud}
      spec:
        type: LoadBalancer
        clusterIPs: [10.96.0.201]
        ports: [{name: http, protocol: TCP, port: 81, nodePort: 30201}]
      status: {loadBalancer: {ingress: [{ip: 198.18.0.11}]}}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: guarded, namespace: cloud}
      spec:
        type: LoadBalancer
        clusterIPs: [10.96.0.202]
        externalTrafficPolicy: Local
        loadBalancerSourceRanges: [198.18.0.11/32]
        ports: [{name: http, protocol: TCP, port: 82, nodePort: 30202}]
      status: {loadBalancer: {ingress: [{ip: 198.18.0.11}]}}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: guarded-v4, namespace: cloud, labels: {kubernetes.io/service-name: guarded}}
      addressType: IPv4
      ports: [{name: http, protocol: TCP, port: 8080}]
      endpoints:
      - {addresses: [10.244.2.11], nodeName: worker-2, conditions: {ready: true}}
      """;

  private TranslatedAddress() {}

  /** NodePorts are served on all addresses of the node, as in mode iptables by default. */
  static NodeSettings settings() {
    return PacketTable.load("nodeports-all").settings();
  }

  /** The cluster of packet tables with such a node and such services. */
  static ClusterImage cluster() {
    ClusterImage services = Manifests.parse("cloud.yaml", BALANCERS).image();
    ClusterImage cluster =
        ClusterDelta.between(ClusterImage.EMPTY, services).applyTo(PacketTable.cluster());
    Node node = cluster.nodes().get(Actor.NODE_NAME);
    return ClusterDelta.builder()
        .set(
            new Node(
                node.name(),
                node.internalIps(),
                List.of(ADDRESS.toString()),
                node.zone(),
                node.podCidrs(),
                node.leaving()))
        .build()
        .applyTo(cluster);
  }
}
