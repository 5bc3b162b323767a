package dev.portolan.nftables.table;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import dev.portolan.nftables.table.Statement.FromInterface;
import dev.portolan.nftables.table.Statement.InRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is known of a node as conditions of rules. */
public final class NodeConditions {
  private static final Cidr LOOPBACK_V4 = Cidr.of("127.0.0.0/8");
  private static final Cidr LOOPBACK_V6 = Cidr.of("::1/128");

  private NodeConditions() {}

  /** The loopback addresses of a family. */
  public static Cidr loopback(IpFamily family) {
    return family == IpFamily.IPV4 ? LOOPBACK_V4 : LOOPBACK_V6;
  }

  /** Matches packets of this node's pods, or all others; empty if nothing can. */
  public static Optional<Statement> fromPods(LocalDetector detector, boolean negated) {
    return switch (detector) {
      case LocalDetector.SourceRange(Cidr range) ->
          Optional.of(new InRange(PacketField.SOURCE, range, negated));
      case LocalDetector.Interface(String name) ->
          Optional.of(new FromInterface(name, false, negated));
      case LocalDetector.InterfacePrefix(String prefix) ->
          Optional.of(new FromInterface(prefix, true, negated));
      case LocalDetector.Undetected() -> Optional.empty();
    };
  }

  /** Matches the addresses on which nodePorts are served; one list per alternative. */
  public static List<List<Statement>> nodePortPlaces(NodeFacts facts, IpFamily family) {
    Cidr loopback = loopback(family);
    Statement notLoopback = new InRange(PacketField.DESTINATION, loopback, true);
    NodePortAddresses addresses = facts.nodePorts(family);
    if (addresses.all()) {
      return List.of(List.of(notLoopback));
    }
    List<List<Statement>> places = new ArrayList<>();
    for (Cidr range : addresses.ranges()) {
      Statement inRange = new InRange(PacketField.DESTINATION, range, false);
      if (!loopback.contains(range)) {
        places.add(range.contains(loopback) ? List.of(inRange, notLoopback) : List.of(inRange));
      }
    }
    return places;
  }
}
