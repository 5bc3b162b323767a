package dev.portolan.cli.lab;

import dev.portolan.lab.Namespace;
import dev.portolan.testkit.peers.IptablesFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One of the two kinds of iptables, in a folder where its programs have the plain names. */
record IptablesVariant(Path folder) {
  private static final Pattern FOREIGN = Pattern.compile("FOREIGN|KUBE-FIREWALL|KUBELET");

  /** Fills {@code folder} with the variant nft or legacy. */
  static IptablesVariant in(Path folder, String variant) {
    IptablesFolder.fill(folder, variant);
    return new IptablesVariant(folder);
  }

  /**
   * Writes rules like other programs that share the tables with kube-proxy, such as the kubelet.
   */
  void writeForeignRules(Namespace node) {
    for (String family : List.of("iptables", "ip6tables")) {
      node.execWith(
          """
          *nat
          :FOREIGN - [0:0]
          -A POSTROUTING -o nowhere -j FOREIGN
          -A FOREIGN -j MASQUERADE
          COMMIT
          *filter
          :KUBE-FIREWALL - [0:0]
          -A INPUT -j KUBE-FIREWALL
          -A KUBE-FIREWALL -i nowhere -j DROP
          COMMIT
          *mangle
          :KUBE-KUBELET-CANARY - [0:0]
          COMMIT
          """,
          folder.resolve(family + "-restore").toString(),
          "--noflush");
    }
  }

  /** What of the rules is none of kube-proxy's. */
  List<String> foreignRules(Namespace node) {
    return saved(node).filter(line -> FOREIGN.matcher(line).find()).toList();
  }

  /** What of the rules is kube-proxy's. */
  List<String> proxyRules(Namespace node) {
    return saved(node)
        .filter(line -> line.contains("KUBE-") && !FOREIGN.matcher(line).find())
        .toList();
  }

  private Stream<String> saved(Namespace node) {
    return Stream.of("iptables-save", "ip6tables-save")
        .flatMap(program -> node.exec(folder.resolve(program).toString()).lines());
  }
}
