package dev.portolan.api;

import dev.portolan.api.localv1.EndpointScopes;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.PortName;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.ServiceIPs;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Verdict;
import java.util.List;

/** Services that several tests look at. */
final class Samples {
  static final NamespacedName WEB = new NamespacedName("default", "web");

  private Samples() {}

  /** A service of one port, with one endpoint on n1. */
  static NodeService web(String portName) {
    return web(port(portName, "10.96.0.10", List.of(endpoint("10.1.2.3", 8080, "n1"))));
  }

  static NodeService web(ServicePort... ports) {
    return new NodeService(WEB, ServiceType.CLUSTER_IP, 0, 0, List.of(ports));
  }

  /** A port that all traffic may use, whichever node it comes from. */
  static ServicePort port(String name, String clusterIp, List<Endpoint> endpoints) {
    return port(name, clusterIp, endpoints, endpoints);
  }

  /** The same, with some endpoints that are not chosen. */
  static ServicePort port(
      String name, String clusterIp, List<Endpoint> chosen, List<Endpoint> serving) {
    Verdict verdict = chosen.isEmpty() ? Verdict.REJECT : Verdict.FORWARD;
    return port(
        name,
        clusterIp,
        Routes.of(Pool.CLUSTER, verdict, Pool.CLUSTER, Verdict.NONE, Verdict.NONE),
        chosen,
        List.of(),
        serving);
  }

  /** A port at a cluster IP, with these routes and endpoints. */
  static ServicePort port(
      String name,
      String clusterIp,
      Routes routes,
      List<Endpoint> cluster,
      List<Endpoint> local,
      List<Endpoint> serving) {
    return new ServicePort(
        new ServicePortName(WEB, name, Protocol.TCP),
        ServiceAddress.list(Ip.of(clusterIp), 80, List.of(), List.of(), 0),
        List.of(),
        0,
        routes,
        cluster,
        local,
        serving);
  }

  static Endpoint endpoint(String address, int port, String node) {
    return new Endpoint(Ip.of(address), port, node);
  }

  /** A service of two families as a KPNG server sends it, without a decision. */
  static Service kpngService() {
    return Service.newBuilder()
        .setNamespace("default")
        .setName("web")
        .setType("ClusterIP")
        .setIPs(
            ServiceIPs.newBuilder()
                .setClusterIPs(IPSet.newBuilder().addV4("10.96.0.10").addV6("fd96::a"))
                .setExternalIPs(IPSet.getDefaultInstance()))
        .addPorts(
            PortMapping.newBuilder()
                .setName("http")
                .setProtocol(dev.portolan.api.localv1.Protocol.TCP)
                .setPort(80))
        .build();
  }

  /** An endpoint of it on the node that asks. */
  static dev.portolan.api.localv1.Endpoint kpngEndpoint() {
    return dev.portolan.api.localv1.Endpoint.newBuilder()
        .setIPs(IPSet.newBuilder().addV4("10.1.2.3"))
        .setLocal(true)
        .addPortOverrides(PortName.newBuilder().setName("http").setPort(8080))
        .setScopes(EndpointScopes.newBuilder().setInternal(true).setExternal(true))
        .build();
  }
}
