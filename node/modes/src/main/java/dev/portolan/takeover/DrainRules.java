package dev.portolan.takeover;

import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.Hook;
import dev.portolan.nftables.table.Chain;
import dev.portolan.nftables.table.Entry;
import dev.portolan.nftables.table.PacketField;
import dev.portolan.nftables.table.Rule;
import dev.portolan.nftables.table.SetType;
import dev.portolan.nftables.table.SharedSets;
import dev.portolan.nftables.table.Statement;
import dev.portolan.nftables.table.TableState;
import dev.portolan.nftables.table.Tables;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A small table that refuses new connections to the addresses of services that are still this
 * node's own because IPVS drains. Packets to a service have another destination by the time they
 * get there; all others would reach the node itself.
 */
final class DrainRules {
  /** The name of the table. */
  static final String TABLE = "portolan-drain";

  private static final String ADDRESSES = "draining";
  private static final String COMMENT =
      "addresses of services whose connections through IPVS go on";

  /** Where a firewall of the host is asked, too. */
  private static final Hook INPUT = Hook.filter(Hook.Point.INPUT, Hook.FILTER);

  private static final SharedSets SHARED = new SharedSets(Set.of(), Set.of());

  private DrainRules() {}

  /** Refuses new connections to these addresses, and to no others. */
  static void refuseAt(Collection<Ip> addresses, TakeoverOptions options) {
    Map<IpFamily, TableState> wanted = new EnumMap<>(IpFamily.class);
    for (Ip address : addresses) {
      wanted
          .computeIfAbsent(address.family(), DrainRules::table)
          .add(ADDRESSES, new Entry.OfAddress(address));
    }
    try (Tables tables = new Tables(TABLE, options.namespace(), SHARED, false)) {
      var _ = tables.reconcile(_ -> wanted);
    }
  }

  /** Refuses nothing any more. */
  static void remove(TakeoverOptions options) {
    ProxyTable.besideIpvs(options).stream()
        .filter(table -> table.name().equals(TABLE))
        .forEach(ProxyTable::remove);
  }

  private static TableState table(IpFamily family) {
    TableState table = new TableState(family);
    table.add(ADDRESSES, SetType.set(COMMENT, PacketField.DESTINATION));
    table.add(
        Chain.at(
            INPUT,
            "input",
            Rule.of(
                new Statement.IsNew(),
                new Statement.InSet(List.of(PacketField.DESTINATION), ADDRESSES, false),
                new Statement.Reject())));
    return table;
  }
}
