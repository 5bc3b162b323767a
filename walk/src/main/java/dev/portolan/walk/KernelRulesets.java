package dev.portolan.walk;

import dev.portolan.walk.nft.NftRuleset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the rules of a node, whichever program and mode they are of. */
public final class KernelRulesets {
  private KernelRulesets() {}

  /**
   * The rules for services in this process's network namespace, or in the one that {@code
   * namespace} stands for; empty where there are none. More than one means that two modes or
   * programs serve services on this node.
   */
  public static List<Ruleset> read(Optional<Path> namespace) {
    List<Ruleset> found = new ArrayList<>();
    NftRuleset nftables = NftRuleset.read(namespace);
    if (!nftables.serviceTables().isEmpty()) {
      found.add(nftables);
    }
    return found;
  }
}
