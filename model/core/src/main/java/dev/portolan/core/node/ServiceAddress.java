package dev.portolan.core.node;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * An address and port at which clients find a service port.
 *
 * @param address of a nodePort, the unspecified address of its family: it is served on those of the
 *     node's addresses that {@link NodeFacts#nodePorts} accepts
 */
public record ServiceAddress(Kind kind, Ip address, int port)
    implements Comparable<ServiceAddress> {
  private static final Comparator<ServiceAddress> ORDER =
      Comparator.comparing(ServiceAddress::kind)
          .thenComparing(ServiceAddress::address)
          .thenComparingInt(ServiceAddress::port);

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

  /** A nodePort of {@code family}. */
  public static ServiceAddress nodePort(IpFamily family, int port) {
    return new ServiceAddress(Kind.NODE_PORT, Ip.any(family), port);
  }

  /**
   * All addresses of a service port, in the order of their kinds.
   *
   * @param nodePort 0 where there is none
   */
  public static List<ServiceAddress> list(
      Ip clusterIp,
      int port,
      Collection<Ip> externalIps,
      Collection<Ip> loadBalancerIps,
      int nodePort) {
    List<ServiceAddress> addresses = new ArrayList<>();
    addresses.add(new ServiceAddress(Kind.CLUSTER_IP, clusterIp, port));
    externalIps.forEach(ip -> addresses.add(new ServiceAddress(Kind.EXTERNAL_IP, ip, port)));
    loadBalancerIps.forEach(
        ip -> addresses.add(new ServiceAddress(Kind.LOAD_BALANCER_IP, ip, port)));
    if (nodePort != 0) {
      addresses.add(nodePort(clusterIp.family(), nodePort));
    }
    return List.copyOf(addresses);
  }

  /** The family of its clients. */
  public IpFamily family() {
    return address.family();
  }

  /** Whether it is a port of the node, on any address that serves nodePorts. */
  public boolean isNodePort() {
    return kind == Kind.NODE_PORT;
  }

  /** Whether clients outside the cluster may use it: every address but the cluster IP. */
  public boolean isExternal() {
    return kind != Kind.CLUSTER_IP;
  }

  /**
   * What traffic from elsewhere to it is. From pods and from the node itself, traffic to an
   * external address is {@link Traffic#SHORT_CIRCUIT}.
   */
  public Traffic traffic() {
    return isExternal() ? Traffic.EXTERNAL : Traffic.INTERNAL;
  }

  @Override
  public int compareTo(ServiceAddress other) {
    return ORDER.compare(this, other);
  }

  /** {@code ClusterIP 10.96.0.10:80}, or {@code NodePort IPv4 :30080}. */
  @Override
  public String toString() {
    return kind + " " + (isNodePort() ? family() + " :" + port : address.withPort(port));
  }
}
