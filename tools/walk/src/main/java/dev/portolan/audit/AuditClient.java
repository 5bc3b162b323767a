package dev.portolan.audit;

import dev.portolan.core.fate.KnownClient;
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
 * @param known what the rules can tell of it
 */
record AuditClient(String label, Ip address, Optional<String> through, KnownClient known) {
  /** The client at {@code address} as the node sees it. */
  static AuditClient at(String label, Ip address, Optional<String> through, NodeFacts facts) {
    boolean pod =
        switch (facts.detector(address.family())) {
          case LocalDetector.SourceRange(Cidr range) -> range.contains(address);
          case LocalDetector.Interface(String name) -> through.filter(name::equals).isPresent();
          case LocalDetector.InterfacePrefix(String prefix) ->
              through.filter(name -> name.startsWith(prefix)).isPresent();
          case LocalDetector.Undetected() -> false;
        };
    return new AuditClient(label, address, through, KnownClient.at(address, pod, facts));
  }
}
