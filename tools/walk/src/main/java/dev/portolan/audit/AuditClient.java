package dev.portolan.audit;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import java.util.Optional;

/**
 * A client that stands for all those which rules treat alike.
 *
 * @param label who it is, for a person: {@code pods of this node}
 * @param through the interface that its packets come in through; empty for the node itself
 * @param pod whether the detector takes it for one of this node's pods
 * @param host whether its address is one of the node's own
 */
record AuditClient(String label, Ip address, Optional<String> through, boolean pod, boolean host) {
  /** The client at {@code address} as the node sees it. */
  static AuditClient at(String label, Ip address, Optional<String> through, NodeFacts facts) {
    boolean host = address.isLoopback() || facts.addresses().contains(address);
    boolean pod =
        switch (facts.detector(address.family())) {
          case LocalDetector.SourceRange(Cidr range) -> range.contains(address);
          case LocalDetector.Interface(String name) -> through.filter(name::equals).isPresent();
          case LocalDetector.InterfacePrefix(String prefix) ->
              through.filter(name -> name.startsWith(prefix)).isPresent();
          case LocalDetector.Undetected() -> false;
        };
    return new AuditClient(label, address, through, pod, host);
  }
}
