package dev.portolan.backend.iptables;

import dev.portolan.core.net.IpFamily;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.netlink.LegacyTables;
import dev.portolan.netlink.LegacyTables.Size;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Notices by their sizes that another program changed tables of iptables-legacy. */
final class TableSizes implements AutoCloseable {
  private final LegacyTables kernel;
  private Map<String, Size> known;

  private TableSizes(LegacyTables kernel) {
    this.kernel = kernel;
    this.known = read();
  }

  static TableSizes of(IpFamily family, Optional<Path> namespace) {
    AddressFamily own = family == IpFamily.IPV4 ? AddressFamily.IPV4 : AddressFamily.IPV6;
    return new TableSizes(new LegacyTables(own, namespace));
  }

  /** The tables that have another size than when they were last asked for. */
  List<String> changed() {
    Map<String, Size> before = known;
    known = read();
    List<String> changed = new ArrayList<>();
    before.forEach((table, size) -> {
      if (!size.equals(known.get(table))) {
        changed.add(table);
      }
    });
    return changed;
  }

  /**
   * Tables whose growth since the last reading is not what our own writes explain.
   *
   * @param written how many a write of ours has added to each table
   */
  List<String> changedBeside(Map<String, Integer> written) {
    Map<String, Size> before = known;
    known = read();
    List<String> changed = new ArrayList<>();
    before.forEach((table, size) -> {
      Size now = known.get(table);
      if (now == null || now.entries() - size.entries() != written.getOrDefault(table, 0)) {
        changed.add(table);
      }
    });
    return changed;
  }

  /** Everything was written: whatever others had changed is overwritten. */
  void renew() {
    known = read();
  }

  private Map<String, Size> read() {
    Map<String, Size> sizes = new HashMap<>();
    for (String table : Chains.TABLES) {
      kernel.size(table).ifPresent(size -> sizes.put(table, size));
    }
    return sizes;
  }

  @Override
  public void close() {
    kernel.close();
  }
}
