package dev.portolan.doctor.bundle;

import dev.portolan.backend.iptables.Chains;
import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesProgram;
import dev.portolan.netlink.AddressFamily;
import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.Element;
import dev.portolan.nftables.NftVerdict;
import dev.portolan.nftables.Nftables;
import dev.portolan.nftables.TableName;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** What the kernel has: our own rules whole, of others' only the names of their base chains. */
record KernelDump(Optional<Path> namespace, String table) {
  private static final HexFormat HEX = HexFormat.of();

  /** Our nftables tables, as the kernel has them; keys and data are hexadecimal. */
  String own() {
    StringBuilder text = new StringBuilder();
    try (Nftables kernel = new Nftables(namespace)) {
      for (AddressFamily family : AddressFamily.values()) {
        if (kernel.tables(family).contains(table)) {
          text.append("table ").append(TableName.of(family, table)).append('\n');
          sets(kernel, family, text);
          chains(kernel, family, text);
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
    List<Nftables.RuleOutline> rules = kernel.outlines(TableName.of(family, table));
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
      for (Nftables.RuleOutline rule : rules) {
        if (rule.chain().equals(chain.name())) {
          text.append("    ").append(String.join(" ", rule.expressions()));
          rule.verdict().ifPresent(verdict -> text.append(" -> ").append(verdict));
          text.append('\n');
        }
      }
    }
  }

  /** The base chains of every table, by name. */
  String names() {
    StringBuilder text = new StringBuilder();
    try (Nftables kernel = new Nftables(namespace)) {
      for (BaseChain chain : kernel.baseChains()) {
        text.append("table ")
            .append(chain.table())
            .append(" chain ")
            .append(chain.name())
            .append(" type ")
            .append(chain.type())
            .append(" hook ")
            .append(chain.hook())
            .append(" priority ")
            .append(chain.priority())
            .append(chain.drops() ? " policy drop\n" : "\n");
      }
    }
    return text.isEmpty() ? "no base chains\n" : text.toString();
  }

  /** Our chains of iptables, as its own program prints them. */
  String iptables() {
    StringBuilder text = new StringBuilder();
    for (String program : List.of("iptables-save", "ip6tables-save")) {
      IptablesProgram.find(IptablesOptions.USUAL_FOLDERS, program, namespace)
          .ifPresent(save -> {
            text.append("# ").append(program).append('\n');
            String[] in = {""};
            IptablesProgram.Result result =
                save.read(
                    line -> {
                      if (line.startsWith("*")) {
                        in[0] = line.substring(1).strip();
                        text.append(line).append('\n');
                      } else if (isOwn(in[0], line)) {
                        text.append(line).append('\n');
                      }
                    },
                    List.of());
            if (!result.succeeded()) {
              text.append("# failed: ").append(result.words()).append('\n');
            }
          });
    }
    return text.isEmpty() ? "iptables is not installed\n" : text.toString();
  }

  private static boolean isOwn(String table, String line) {
    String[] words = line.split(" ", 3);
    String chain = line.startsWith(":") ? words[0].substring(1) : words.length > 1 ? words[1] : "";
    return Chains.isOwned(table, chain);
  }
}
