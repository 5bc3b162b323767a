package dev.portolan.takeover;

import dev.portolan.mode.Own;
import dev.portolan.mode.Scope;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.Errno;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.nftables.Batch;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.Nftables.TableInfo;
import dev.portolan.nftables.TableName;
import dev.portolan.nftables.table.TableMark;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A table of one family that a mode nftables made: kube-proxy's, which is known by its name, or our
 * own of another mode or another name, which is known by its mark.
 */
record ProxyTable(TakeoverOptions options, AddressFamily family, String name) implements Leftover {
  private static final String KUBE_PROXY = "kube-proxy";

  /** The table that our mode ipvs has beside its virtual servers. */
  private static final String BESIDE_IPVS = "portolan-ipvs";

  static List<ProxyTable> find(TakeoverOptions options) {
    return find(options, table -> isLeftover(table, options));
  }

  /** Our own of mode ipvs, unless that is our mode, or it drains and they are needed for that. */
  static List<ProxyTable> besideIpvs(TakeoverOptions options) {
    boolean drains = options.drains() && IpvsDrain.isUnderWay(options);
    return find(
        options,
        table ->
            TableMark.isOn(table)
                && ((table.name().equals(BESIDE_IPVS)
                        && !options.own().contains(Own.VIRTUAL_SERVERS))
                    || (table.name().equals(DrainRules.TABLE) && !drains)));
  }

  private static List<ProxyTable> find(TakeoverOptions options, Predicate<TableInfo> wanted) {
    List<ProxyTable> found = new ArrayList<>();
    try (Nftables kernel = new Nftables(options.namespace())) {
      for (AddressFamily family : AddressFamily.values()) {
        kernel.tableInfos(family).stream()
            .filter(wanted)
            .forEach(table -> found.add(new ProxyTable(options, family, table.name())));
      }
    }
    return found;
  }

  private static boolean isLeftover(TableInfo table, TakeoverOptions options) {
    if (options.scope() == Scope.TABLES_OF_NAME) {
      return table.name().equals(options.ownTable());
    }
    if (options.own().contains(Own.TABLES) && table.name().equals(options.ownTable())) {
      return false;
    }
    boolean ofIpvs = table.name().equals(BESIDE_IPVS) || table.name().equals(DrainRules.TABLE);
    return (TableMark.isOn(table) && !ofIpvs)
        || (table.name().equals(KUBE_PROXY) && !options.onlyOurs());
  }

  @Override
  public String describe() {
    return "nftables: table " + TableName.of(family, name);
  }

  @Override
  public void remove() {
    try (Nftables kernel = new Nftables(options.namespace())) {
      kernel.commit(new Batch(name).family(family).deleteTable());
    } catch (NetlinkException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }
}
