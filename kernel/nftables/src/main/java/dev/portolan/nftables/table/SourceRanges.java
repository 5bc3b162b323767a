package dev.portolan.nftables.table;

import static dev.portolan.nftables.table.PacketField.DESTINATION;
import static dev.portolan.nftables.table.PacketField.PORT;
import static dev.portolan.nftables.table.PacketField.PROTOCOL;
import static dev.portolan.nftables.table.PacketField.SOURCE;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.table.Statement.Go;
import dev.portolan.nftables.table.Statement.InSet;
import java.util.List;

/** Who may use which address of a load balancer: a chain that drops all others. */
public final class SourceRanges {
  /** The chain; it must see packets while their destination is still the service's. */
  public static final String CHAIN = "guard";

  private static final String GUARDED = "guarded";
  private static final String ALLOWED = "allowed-sources";

  private SourceRanges() {}

  /** Adds the sets that the chain asks. */
  public static void sets(TableState table) {
    table.add(
        GUARDED,
        SetType.set("load-balancer addresses with source ranges", DESTINATION, PROTOCOL, PORT));
    table.add(
        ALLOWED,
        new SetType(
            List.of(DESTINATION, PROTOCOL, PORT, SOURCE),
            new SetType.Value.Nothing(),
            true,
            0,
            0,
            false,
            "allowed sources for these addresses"));
  }

  /** The chain to jump to. */
  public static Chain chain() {
    return Chain.of(
        CHAIN,
        "enforces the source ranges of load balancers",
        Rule.of(
            new InSet(List.of(DESTINATION, PROTOCOL, PORT), GUARDED, false),
            new InSet(List.of(DESTINATION, PROTOCOL, PORT, SOURCE), ALLOWED, true),
            new Go(NftVerdict.DROP)));
  }

  /** Adds the ranges of {@code address}, if it has any. */
  public static void lay(
      TableState table, NodeFacts facts, ServicePort port, ServiceAddress address) {
    if (port.sourceRanges(address).isEmpty()) {
      return;
    }
    List<Cidr> allowed = facts.allowedSources(port, address);
    Ip ip = address.address();
    Protocol protocol = port.name().protocol();
    table.add(
        GUARDED, new Entry.OfAddressPort(ip, protocol, address.port(), Names.comment(port.name())));
    for (Cidr source : Ranges.disjoint(allowed)) {
      table.add(ALLOWED, new Entry.OfSource(ip, protocol, address.port(), source));
    }
  }
}
