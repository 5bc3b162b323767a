package dev.portolan.nftables.table;

import static dev.portolan.nftables.table.FamilyTable.netlink;

import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.Nftables.ChainInfo;
import dev.portolan.nftables.Nftables.RuleInfo;
import dev.portolan.nftables.Nftables.SetInfo;
import dev.portolan.nftables.Nftables.TableInfo;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel has of the tables of one name, for one comparison. Sets and elements are read
 * once, at the first use: by a backend that continues with what it finds there, or by the
 * comparison itself.
 */
public final class KernelTables {
  /** The kernel takes longer for each element that a dump has reached. */
  private static final int MOST_TO_READ = 1 << 17;

  private final Nftables kernel;
  private final String name;
  private final Map<IpFamily, List<SetInfo>> sets = new EnumMap<>(IpFamily.class);
  private final Map<IpFamily, Map<String, List<Element>>> elements = new EnumMap<>(IpFamily.class);
  private final Map<IpFamily, Map<String, Found>> found = new EnumMap<>(IpFamily.class);

  /** What was found under the keys of the elements that were wanted. */
  private record Found(List<Element> wanted, List<@Nullable Element> elements) {
    boolean isOf(List<Element> others) {
      if (wanted.size() != others.size()) {
        return false;
      }
      for (int i = 0; i < wanted.size(); i++) {
        if (!Arrays.equals(wanted.get(i).key(), others.get(i).key())) {
          return false;
        }
      }
      return true;
    }
  }

  KernelTables(Nftables kernel, String name) {
    this.kernel = kernel;
    this.name = name;
  }

  String name() {
    return name;
  }

  /** The table of a family, if there is one. */
  Optional<TableInfo> table(IpFamily family) {
    return kernel.tableInfos(netlink(family)).stream()
        .filter(table -> table.name().equals(name))
        .findFirst();
  }

  /** The sets and maps of a family's table; none where there is no such table. */
  public List<SetInfo> sets(IpFamily family) {
    return sets.computeIfAbsent(
        family, key -> table(family).isEmpty() ? List.of() : kernel.sets(netlink(family), name));
  }

  /** The elements of a set or map. */
  public List<Element> elements(IpFamily family, String set) {
    return elements
        .computeIfAbsent(family, key -> new HashMap<>())
        .computeIfAbsent(set, key -> kernel.elements(netlink(family), name, set));
  }

  /**
   * Those elements of a set or map that have the keys of {@code wanted}, each in its place; null
   * where there is none with the key.
   */
  public List<@Nullable Element> elements(IpFamily family, String set, List<Element> wanted) {
    Map<String, Found> ofFamily = found.computeIfAbsent(family, key -> new HashMap<>());
    Found before = ofFamily.get(set);
    if (before != null && before.isOf(wanted)) {
      return before.elements;
    }
    List<@Nullable Element> now = kernel.elements(netlink(family), name, set, wanted);
    ofFamily.put(set, new Found(wanted, now));
    return now;
  }

  /** Whether a set is so large that elements are read by their keys. */
  public static boolean isLarge(SetInfo set) {
    return set.count().orElse(0) > MOST_TO_READ;
  }

  List<ChainInfo> chains(IpFamily family) {
    return kernel.chains(netlink(family), name);
  }

  List<RuleInfo> rules(IpFamily family) {
    return kernel.rules(netlink(family), name);
  }
}
