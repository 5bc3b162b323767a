package dev.portolan.terminal.view;

import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;

/** One service port in a few words. */
final class PortText {
  private PortText() {}

  /** {@code 80/TCP}, or {@code 80:30080/TCP} with a nodePort, as kubectl writes it. */
  static String port(ServicePort port) {
    String nodePort = port.nodePort() == 0 ? "" : ":" + port.nodePort();
    return port.clusterIp().port() + nodePort + "/" + port.name().protocol();
  }

  /** How many endpoints are in use: {@code 3}, {@code 3, 1 local} or {@code 1 local}. */
  static String count(ServicePort port) {
    String local = port.local().size() + " local";
    if (!port.routes().use(Pool.LOCAL)) {
      return Integer.toString(port.cluster().size());
    }
    return port.routes().use(Pool.CLUSTER) ? port.cluster().size() + ", " + local : local;
  }

  /** What is not plainly forwarded: {@code reject}, {@code drop outside}; else nothing. */
  static String note(ServicePort port) {
    Verdict inside = port.verdict(Traffic.INTERNAL);
    Verdict outside = port.isExternallyAccessible() ? port.verdict(Traffic.EXTERNAL) : inside;
    if (inside == outside) {
      return inside == Verdict.FORWARD ? "" : inside.toString();
    }
    if (inside == Verdict.FORWARD) {
      return outside + " outside";
    }
    return outside == Verdict.FORWARD
        ? inside + " inside"
        : inside + " inside, " + outside + " outside";
  }

  /** The pool for traffic from outside, or a dash where there is no such traffic. */
  static String externalPool(ServicePort port) {
    return port.isExternallyAccessible() ? port.route(Traffic.EXTERNAL).pool().toString() : "-";
  }
}
