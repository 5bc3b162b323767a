package dev.portolan.backend.iptables;

import dev.portolan.backend.iptables.IptablesOptions.Variant;
import dev.portolan.core.net.IpFamily;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what the kernel has, without changing anything. */
public final class RuleListing {
  private RuleListing() {}

  /**
   * All lines that iptables-save of one kind prints in a network namespace, this process's own
   * where {@code namespace} is empty; nothing where this host does not have that program.
   */
  public static Optional<List<String>> read(
      Variant variant, IpFamily family, Optional<Path> namespace) {
    return IptablesPrograms.ofVariant(IptablesOptions.DEFAULT.in(namespace), family, variant)
        .map(programs -> {
          List<String> lines = new ArrayList<>();
          programs.save(lines::add);
          return lines;
        });
  }
}
