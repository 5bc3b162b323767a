package dev.portolan.cli;

import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.node.Frontend;
import dev.portolan.core.node.Selection;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Verdict;

/** One service port in a few words. */
final class PortText {
  private PortText() {}

  /** {@code 80/TCP}, or {@code 80:30080/TCP} with a nodePort, as kubectl writes it. */
  static String port(Frontend frontend) {
    String nodePort = frontend.nodePort() == 0 ? "" : ":" + frontend.nodePort();
    return frontend.port() + nodePort + "/" + frontend.name().protocol();
  }

  /** How many endpoints are in use: {@code 3}, {@code 3, 1 local} or {@code 1 local}. */
  static String count(ServicePort port) {
    Selection selection = port.selection();
    String local = selection.local().size() + " local";
    if (!port.frontend().usesLocalEndpoints()) {
      return Integer.toString(selection.cluster().size());
    }
    return port.frontend().usesClusterEndpoints()
        ? selection.cluster().size() + ", " + local
        : local;
  }

  /** What is not plainly forwarded: {@code reject}, {@code drop outside}; else nothing. */
  static String note(ServicePort port) {
    Verdict inside = port.selection().internal();
    Verdict outside =
        port.frontend().isExternallyAccessible() ? port.selection().external() : inside;
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

  /** The policy for traffic from outside, or a dash where there is no such traffic. */
  static String externalPolicy(Frontend frontend) {
    TrafficPolicy policy = frontend.externalPolicy();
    return frontend.isExternallyAccessible() ? policy.toString() : "-";
  }
}
