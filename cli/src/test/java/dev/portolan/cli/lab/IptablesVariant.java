package dev.portolan.cli.lab;

import dev.portolan.lab.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One of the two kinds of iptables, in a folder where its programs have the plain names. */
record IptablesVariant(Path folder) {
  private static final List<String> PROGRAMS =
      List.of(
          "iptables",
          "iptables-save",
          "iptables-restore",
          "ip6tables",
          "ip6tables-save",
          "ip6tables-restore");
  private static final List<Path> PLACES = List.of(Path.of("/usr/sbin"), Path.of("/sbin"));
  private static final Pattern FOREIGN = Pattern.compile("FOREIGN|KUBE-FIREWALL|KUBELET");

  /** Fills {@code folder}; empty where the machine does not have the variant nft or legacy. */
  static Optional<IptablesVariant> find(String variant, Path folder) throws IOException {
    for (Path place : PLACES) {
      Path program = place.resolve("iptables-" + variant);
      if (Files.isExecutable(program)) {
        for (String name : PROGRAMS) {
          // All are one program, which looks at the name that it was called by.
          Files.copy(program, folder.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        return Optional.of(new IptablesVariant(folder));
      }
    }
    return Optional.empty();
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
