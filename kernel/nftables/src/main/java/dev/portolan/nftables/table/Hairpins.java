package dev.portolan.nftables.table;

import static dev.portolan.nftables.table.PacketField.DESTINATION;
import static dev.portolan.nftables.table.PacketField.PORT;
import static dev.portolan.nftables.table.PacketField.PROTOCOL;
import static dev.portolan.nftables.table.PacketField.SOURCE;

import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import dev.portolan.nftables.table.Statement.InSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The pods of this node that may reach themselves through a service, to be masqueraded then. */
public final class Hairpins {
  /** The set; several services may want the same element. */
  public static final String SET = "hairpin";

  private Hairpins() {}

  /** Adds what does not depend on a service. */
  public static void lay(TableState table) {
    table.add(
        SET,
        SetType.set(
            "pods of this node that may reach themselves", SOURCE, DESTINATION, PROTOCOL, PORT));
  }

  /** Adds the endpoints of {@code port} that are on this node. */
  public static void lay(TableState table, NodeFacts facts, ServicePort port) {
    Set<Endpoint> here = new LinkedHashSet<>();
    for (Pool pool : Pool.values()) {
      for (Endpoint endpoint : port.endpoints(pool)) {
        if (facts.isLocal(endpoint)) {
          here.add(endpoint);
        }
      }
    }
    for (Endpoint endpoint : here) {
      table.add(
          SET, new Entry.OfHairpin(endpoint.address(), port.name().protocol(), endpoint.port()));
    }
  }

  /** Matches a packet of a pod to itself. */
  public static Statement isOne() {
    return new InSet(List.of(SOURCE, DESTINATION, PROTOCOL, PORT), SET, false);
  }
}
