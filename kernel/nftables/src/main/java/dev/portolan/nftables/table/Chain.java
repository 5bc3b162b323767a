package dev.portolan.nftables.table;

import dev.portolan.nftables.Hook;
import java.util.List;
import java.util.Optional;

/** A chain with its rules; {@code hook} says where the kernel calls it, if it does. */
public record Chain(String name, Optional<Hook> hook, List<Rule> rules, String comment) {
  public Chain {
    rules = List.copyOf(rules);
  }

  /** A chain that is called by others. */
  public static Chain of(String name, String comment, Rule... rules) {
    return new Chain(name, Optional.empty(), List.of(rules), comment);
  }

  /** A chain that the kernel calls. */
  public static Chain at(Hook hook, String name, Rule... rules) {
    return new Chain(name, Optional.of(hook), List.of(rules), "");
  }
}
