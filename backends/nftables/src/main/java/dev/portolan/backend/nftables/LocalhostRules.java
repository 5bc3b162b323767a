package dev.portolan.backend.nftables;

import static dev.portolan.nftables.table.PacketField.DESTINATION;
import static dev.portolan.nftables.table.PacketField.PORT;
import static dev.portolan.nftables.table.PacketField.PROTOCOL;

import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.table.Chain;
import dev.portolan.nftables.table.Entry;
import dev.portolan.nftables.table.Names;
import dev.portolan.nftables.table.NodeConditions;
import dev.portolan.nftables.table.Rule;
import dev.portolan.nftables.table.SetType;
import dev.portolan.nftables.table.Statement.Count;
import dev.portolan.nftables.table.Statement.InRange;
import dev.portolan.nftables.table.Statement.IsNew;
import dev.portolan.nftables.table.Statement.Reject;
import dev.portolan.nftables.table.Statement.VerdictOf;
import dev.portolan.nftables.table.TableState;
import java.util.List;
import java.util.Set;

/**
 * Rejects and counts connections to nodePorts on loopback addresses, where something else serves
 * some of them there. Without these rules a client would wait for an answer that never comes.
 */
final class LocalhostRules {
  private static final String PORTS = "localhost-nodeports";
  private static final String INPUT = "filter-input-localhost";
  private static final String REJECT = "localhost-reject-";

  private LocalhostRules() {}

  /** The chain that counts and rejects connections of {@code protocol}. */
  static String chain(Protocol protocol) {
    return REJECT + protocol.lower();
  }

  private static Set<Protocol> rejected(TableState table, NftablesOptions options) {
    return options.rejectedOnLocalhost().getOrDefault(table.family(), Set.of());
  }

  /** Adds what does not depend on a service. */
  static void lay(TableState table, NftablesOptions options) {
    if (rejected(table, options).isEmpty()) {
      return;
    }
    table.add(PORTS, SetType.verdicts("nodePorts that localhost does not serve", PROTOCOL, PORT));
    table.add(
        Chain.at(
            Hook.filter(Hook.Point.INPUT, Hook.FILTER),
            INPUT,
            Rule.of(
                new IsNew(),
                new InRange(DESTINATION, NodeConditions.loopback(table.family()), false),
                new VerdictOf(List.of(PROTOCOL, PORT), PORTS))));
    for (Protocol protocol : Protocol.values()) {
      if (rejected(table, options).contains(protocol)) {
        table.add(
            Chain.of(
                chain(protocol),
                "counts and rejects what localhost does not serve",
                Rule.of(new Count(), new Reject())));
      }
    }
  }

  /** Adds the nodePort of {@code port}, if localhost does not serve it. */
  static void lay(TableState table, NftablesOptions options, ServicePort port) {
    Protocol protocol = port.name().protocol();
    for (ServiceAddress address : port.addresses()) {
      if (address.isNodePort() && rejected(table, options).contains(protocol)) {
        table.add(
            PORTS,
            new Entry.OfNodePort(
                protocol,
                address.port(),
                NftVerdict.goTo(chain(protocol)),
                Names.comment(port.name())));
      }
    }
  }
}
