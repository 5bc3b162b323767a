package dev.portolan.client;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServicePortName;
import java.util.Optional;

/**
 * Where clients find a service port.
 *
 * @param ip empty for a nodePort, which is served on addresses of the node
 */
public record ServiceAddress(
    ServicePortName service, Kind kind, IpFamily family, Optional<Ip> ip, int port)
    implements Comparable<ServiceAddress> {
  /** What kind of address it is. */
  public enum Kind {
    CLUSTER_IP("ClusterIP"),
    EXTERNAL_IP("ExternalIP"),
    LOAD_BALANCER_IP("LoadBalancerIP"),
    NODE_PORT("NodePort");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The kind as Kubernetes writes it. */
    @Override
    public String toString() {
      return label;
    }
  }

  /** The protocol of the port. */
  public Protocol protocol() {
    return service.protocol();
  }

  @Override
  public int compareTo(ServiceAddress other) {
    int order = service.compareTo(other.service);
    order = order != 0 ? order : kind.compareTo(other.kind);
    order = order != 0 ? order : family.compareTo(other.family);
    if (order == 0 && ip.isPresent() && other.ip.isPresent()) {
      order = ip.get().compareTo(other.ip.get());
    }
    return order != 0 ? order : Integer.compare(port, other.port);
  }

  /** {@code ClusterIP 10.96.0.10:80/TCP}, or {@code NodePort IPv4 :30080/TCP}. */
  @Override
  public String toString() {
    return kind
        + " "
        + ip.map(address -> address.withPort(port)).orElse(family + " :" + port)
        + "/"
        + protocol();
  }
}
