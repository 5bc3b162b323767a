package dev.portolan.nftables.table;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.Nftables.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The comment on every table that we make. A table without it is another program's, whatever its
 * name, and is left alone; but {@code kube-proxy} is the name of the proxy that we replace, so a
 * table of that name may be taken over.
 */
public final class TableMark {
  static final String TEXT = "rules of Portolan";
  private static final String PREDECESSOR = "kube-proxy";

  private TableMark() {}

  /** Whether the table has our mark. */
  public static boolean isOn(TableInfo table) {
    return table.comment().equals(TEXT);
  }

  /** All tables with our mark, whatever their names. */
  public static List<TableInfo> tables(Nftables kernel) {
    List<TableInfo> all = new ArrayList<>();
    for (AddressFamily family : AddressFamily.values()) {
      kernel.tableInfos(family).stream().filter(TableMark::isOn).forEach(all::add);
    }
    return all;
  }

  /** The tables called {@code name} that another program made. */
  static List<TableInfo> foreign(Nftables kernel, String name) {
    List<TableInfo> all = new ArrayList<>();
    for (AddressFamily family : AddressFamily.values()) {
      kernel.tableInfos(family).stream()
          .filter(table -> table.name().equals(name) && !isOn(table))
          .forEach(all::add);
    }
    return all;
  }

  /** Says that these tables are not ours, unless they are those of the proxy that we replace. */
  static void check(List<TableInfo> foreign) {
    if (!foreign.isEmpty() && !foreign.getFirst().name().equals(PREDECESSOR)) {
      throw new BackendException(
          ErrorCode.FOREIGN_RULES,
          "nftables: "
              + foreign.stream().map(TableInfo::toString).collect(Collectors.joining(" and "))
              + (foreign.size() == 1 ? " belongs" : " belong")
              + " to another program: the comment '"
              + TEXT
              + "' is missing; use another table name");
    }
  }
}
