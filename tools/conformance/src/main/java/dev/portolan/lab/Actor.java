package dev.portolan.lab;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The hosts of the lab, and its address plan.
 *
 * <pre>
 *   pod-a1  10.244.1.11  fd10:244:1::11 ─┐ cni0                     cni0 ┌─ pod-b1  10.244.2.11  fd10:244:2::11
 *   pod-a2  10.244.1.12  fd10:244:1::12 ─┤ 10.244.1.1        10.244.2.1 ├─ pod-b2  10.244.2.12  fd10:244:2::12
 *   pod-a3  10.244.1.13  fd10:244:1::13 ─┤ fd10:244:1::1  fd10:244:2::1 ├─ pod-b3  10.244.2.13  fd10:244:2::13
 *                                        │                              │
 *                        node (worker-1) │                              │ other-node (worker-2)
 *           eth0  172.18.0.11  fd12::11 ─┤                              ├─ eth0  172.18.0.12  fd12::12
 *         second  172.18.0.21  fd12::21  │        router (a bridge)     │
 *                                        └──── 172.18.0.1  fd12::1 ─────┘
 *                                                      │
 *                               outside  198.51.100.10  2001:db8:3::10
 *                              outsider  198.51.100.200 2001:db8:3::200
 *
 *   cluster IPs         10.96.0.0/16    fd10:96::/112     routed through the node by everybody but the router
 *   external IPs        192.0.2.0/24    2001:db8:1::/64
 *   load-balancer IPs   203.0.113.0/24  2001:db8:2::/64
 * </pre>
 *
 * <p>The node's default route ends at the router, which can answer for every service address: so a
 * packet that the node let through is seen and not lost. The other node and the client outside have
 * the node as their default route, so answers to a client that was not masqueraded come back
 * through it. No route leads out of the lab.
 */
@SuppressWarnings("ImmutableEnumChecker") // an Ip is a record of numbers
public enum Actor {
  NODE("node", "node", "172.18.0.11", "fd12::11"),
  NODE_SECOND("node-second", "node", "172.18.0.21", "fd12::21"),
  POD_A1("pod-a1", "pod-a1", "10.244.1.11", "fd10:244:1::11"),
  POD_A2("pod-a2", "pod-a2", "10.244.1.12", "fd10:244:1::12"),
  POD_A3("pod-a3", "pod-a3", "10.244.1.13", "fd10:244:1::13"),
  OTHER_NODE("other-node", "other-node", "172.18.0.12", "fd12::12"),
  POD_B1("pod-b1", "pod-b1", "10.244.2.11", "fd10:244:2::11"),
  POD_B2("pod-b2", "pod-b2", "10.244.2.12", "fd10:244:2::12"),
  POD_B3("pod-b3", "pod-b3", "10.244.2.13", "fd10:244:2::13"),
  OUTSIDE("outside", "outside", "198.51.100.10", "2001:db8:3::10"),
  OUTSIDER("outsider", "outside", "198.51.100.200", "2001:db8:3::200"),
  ROUTER("router", "router", "172.18.0.1", "fd12::1");

  /** The node's name in the cluster. */
  public static final String NODE_NAME = "worker-1";

  /** The other node's name in the cluster. */
  public static final String OTHER_NODE_NAME = "worker-2";

  /** The bridge that a node's pods hang on. */
  public static final String POD_BRIDGE = "cni0";

  /** The pods of the node under test. */
  public static final List<Actor> PODS_A = List.of(POD_A1, POD_A2, POD_A3);

  /** The pods of the other node. */
  public static final List<Actor> PODS_B = List.of(POD_B1, POD_B2, POD_B3);

  /** All pods. */
  public static final List<Actor> PODS = Stream.concat(PODS_A.stream(), PODS_B.stream()).toList();

  /** The addresses of the node's bridge, which masqueraded packets to its own pods have. */
  public static final List<Ip> GATEWAYS = List.of(Ip.of("10.244.1.1"), Ip.of("fd10:244:1::1"));

  private final String label;
  private final String home;
  private final Ip v4;
  private final Ip v6;

  Actor(String label, String home, String v4, String v6) {
    this.label = label;
    this.home = home;
    this.v4 = Ip.of(v4);
    this.v6 = Ip.of(v6);
  }

  /** The actor of that label. */
  public static Optional<Actor> labelled(String label) {
    return Arrays.stream(values()).filter(actor -> actor.label.equals(label)).findFirst();
  }

  /** The actor that has this address. */
  public static Optional<Actor> at(Ip address) {
    return Arrays.stream(values())
        .filter(actor -> actor.v4.equals(address) || actor.v6.equals(address))
        .findFirst();
  }

  /** Whether {@code address} is one of the node under test. */
  public static boolean isOfNode(Ip address) {
    return GATEWAYS.contains(address)
        || at(address).filter(actor -> actor.home.equals(NODE.home)).isPresent();
  }

  /** The namespace it lives in; two actors may share one. */
  String home() {
    return home;
  }

  /** Its address in {@code family}. */
  public Ip address(IpFamily family) {
    return family == IpFamily.IPV4 ? v4 : v6;
  }

  /** The label, as packet tables write it. */
  @Override
  public String toString() {
    return label;
  }
}
