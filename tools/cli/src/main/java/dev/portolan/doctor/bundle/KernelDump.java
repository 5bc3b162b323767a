package dev.portolan.doctor.bundle;

import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.Nftables;
import java.nio.file.Path;
import java.util.Optional;

/** What the kernel has of other programs: only the names of their base chains. */
record KernelDump(Optional<Path> namespace) {
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
}
