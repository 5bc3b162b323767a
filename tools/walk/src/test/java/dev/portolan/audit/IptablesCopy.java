package dev.portolan.audit;

import dev.portolan.lab.Namespace;

/** The rules of iptables of a node as they were, in files. */
final class IptablesCopy {
  private final Namespace node;
  private final String iptables;
  private boolean taken;

  /** Of one kind: {@code iptables-nft} or {@code iptables-legacy}. */
  IptablesCopy(Namespace node, String iptables) {
    this.node = node;
    this.iptables = iptables;
  }

  /** The program that shows and changes such rules. */
  String iptables() {
    return iptables;
  }

  /** Copies them, the first time. */
  void take() {
    if (!taken) {
      run("$FOUR-save > $FILE.4; $SIX-save > $FILE.6");
      taken = true;
    }
  }

  /** Puts them back. */
  void putBack() {
    run("$FOUR-restore < $FILE.4; $SIX-restore < $FILE.6; $FOUR -t raw -F");
  }

  /** Removes the copy. */
  void delete() {
    run("rm -f $FILE.4 $FILE.6");
  }

  private void run(String commands) {
    node.exec(
        "sh",
        "-ec",
        "FOUR=%s; SIX=%s; FILE=/tmp/%s; "
                .formatted(iptables, iptables.replace("iptables", "ip6tables"), node.name())
            + commands);
  }
}
