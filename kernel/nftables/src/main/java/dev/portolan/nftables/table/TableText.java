package dev.portolan.nftables.table;

import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.Hook;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/** Prints a table as nft would, so that {@code nft -f} can load it. */
public final class TableText {
  private TableText() {}

  /** The table {@code name} with all that {@code state} holds. */
  public static void print(TableState state, String name, StringBuilder out) {
    IpFamily family = state.family();
    out.append("table ")
        .append(family == IpFamily.IPV4 ? "ip " : "ip6 ")
        .append(name)
        .append(" {\n");
    out.append("\tcomment \"").append(TableMark.TEXT).append("\"\n");
    state.sets().forEach((set, type) -> print(state, set, type, out));
    boolean first = true;
    for (Chain chain : state.chains().values()) {
      out.append(first && state.sets().isEmpty() ? "" : "\n");
      print(chain, family, out);
      first = false;
    }
    out.append("}\n");
  }

  private static void print(TableState state, String name, SetType type, StringBuilder out) {
    boolean map = !(type.value() instanceof SetType.Value.Nothing);
    out.append("\n\t").append(map ? "map " : "set ").append(name).append(" {\n");
    out.append("\t\t").append(type.text(state.family())).append('\n');
    if (type.timeoutSeconds() > 0) {
      out.append("\t\tsize ").append(type.size()).append("\n\t\tflags dynamic,timeout\n");
      out.append("\t\ttimeout ").append(type.timeoutSeconds()).append("s\n");
    } else if (type.ranges()) {
      out.append("\t\tflags interval\n");
    }
    if (type.counts()) {
      out.append("\t\tcounter\n");
    }
    if (!type.comment().isEmpty()) {
      out.append("\t\tcomment \"").append(type.comment()).append("\"\n");
    }
    List<Entry> entries = state.entries().getOrDefault(name, List.of());
    if (!entries.isEmpty()) {
      out.append("\t\telements = { ");
      Iterator<Entry> distinct = new LinkedHashSet<>(entries).iterator();
      while (distinct.hasNext()) {
        out.append(distinct.next().text());
        out.append(distinct.hasNext() ? ",\n\t\t\t     " : " }\n");
      }
    }
    out.append("\t}\n");
  }

  private static void print(Chain chain, IpFamily family, StringBuilder out) {
    out.append("\tchain ").append(chain.name()).append(" {\n");
    if (!chain.comment().isEmpty()) {
      out.append("\t\tcomment \"").append(chain.comment()).append("\"\n");
    }
    chain.hook().ifPresent(hook -> print(hook, out));
    for (Rule rule : chain.rules()) {
      out.append("\t\t").append(rule.text(family)).append('\n');
    }
    out.append("\t}\n");
  }

  private static void print(Hook hook, StringBuilder out) {
    out.append("\t\ttype ")
        .append(hook.type().name().toLowerCase(Locale.ROOT))
        .append(" hook ")
        .append(hook.point().name().toLowerCase(Locale.ROOT))
        .append(" priority ")
        .append(hook.priority())
        .append("; policy accept;\n");
  }
}
