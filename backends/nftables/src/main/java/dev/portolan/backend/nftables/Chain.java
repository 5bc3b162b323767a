package dev.portolan.backend.nftables;

import dev.portolan.netlink.nftables.Hook;
import java.util.List;
import java.util.Optional;

/** A chain with its rules; {@code hook} says where the kernel calls it, if it does. */
public record Chain(String name, Optional<Hook> hook, List<Rule> rules, String comment) {
  public Chain {
    rules = List.copyOf(rules);
  }

  /** A chain that is called by others. */
  static Chain of(String name, String comment, Rule... rules) {
    return new Chain(name, Optional.empty(), List.of(rules), comment);
  }

  /** A chain that the kernel calls. */
  static Chain at(Hook hook, String name, Rule... rules) {
    return new Chain(name, Optional.of(hook), List.of(rules), "");
  }
}
