package dev.portolan.conntrack;

import dev.portolan.core.net.Ip;
import dev.portolan.core.node.ServicePort;
import java.util.Set;
import java.util.stream.Collectors;

/** Where a flow's packets really go. */
record FlowTarget(Ip address, int port) {
  /** The targets that flows may keep. */
  static Set<FlowTarget> serving(ServicePort port) {
    return port.serving().stream()
        .map(endpoint -> new FlowTarget(endpoint.address(), endpoint.port()))
        .collect(Collectors.toUnmodifiableSet());
  }
}
