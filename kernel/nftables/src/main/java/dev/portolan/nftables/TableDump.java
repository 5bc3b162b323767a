package dev.portolan.nftables;

import dev.portolan.netlink.AddressFamily;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The tables of a name as the kernel has them; keys and data are hexadecimal. */
public record TableDump(String table) {
  private static final HexFormat HEX = HexFormat.of();

  /** The tables of {@code table} in both families. */
  public static String of(Optional<Path> namespace, String table) {
    TableDump dump = new TableDump(table);
    StringBuilder text = new StringBuilder();
    try (Nftables kernel = new Nftables(namespace)) {
      for (AddressFamily family : AddressFamily.values()) {
        if (kernel.tables(family).contains(table)) {
          text.append("table ").append(TableName.of(family, table)).append('\n');
          dump.sets(kernel, family, text);
          dump.chains(kernel, family, text);
        }
      }
    }
    return text.isEmpty() ? "no table " + table + "\n" : text.toString();
  }

  private void sets(Nftables kernel, AddressFamily family, StringBuilder text) {
    for (Nftables.SetInfo set : kernel.sets(family, table)) {
      List<Element> elements = kernel.elements(family, table, set.name());
      text.append("  set ").append(set.name()).append(": ").append(elements.size());
      text.append(" elements\n");
      for (Element element : elements) {
        text.append("    ").append(HEX.formatHex(element.key()));
        if (element.keyEnd().length > 0) {
          text.append('-').append(HEX.formatHex(element.keyEnd()));
        }
        text.append(" : ")
            .append(
                element.verdict().map(NftVerdict::toString).orElse(HEX.formatHex(element.data())))
            .append(element.comment().isEmpty() ? "" : "  # " + element.comment())
            .append('\n');
      }
    }
  }

  private void chains(Nftables kernel, AddressFamily family, StringBuilder text) {
    List<RuleOutline> rules = kernel.rules(TableName.of(family, table), RuleOutline::of);
    for (Nftables.ChainInfo chain : kernel.chains(family, table)) {
      text.append("  chain ").append(chain.name());
      chain
          .hook()
          .ifPresent(hook ->
              text.append(" hook ")
                  .append(hook.point())
                  .append(" priority ")
                  .append(hook.priority()));
      text.append('\n');
      for (RuleOutline rule : rules) {
        if (rule.chain().equals(chain.name())) {
          text.append("    ").append(String.join(" ", rule.expressions()));
          rule.verdict().ifPresent(verdict -> text.append(" -> ").append(verdict));
          text.append('\n');
        }
      }
    }
  }
}
