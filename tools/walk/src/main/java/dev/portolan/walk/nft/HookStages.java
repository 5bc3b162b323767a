package dev.portolan.walk.nft;

import dev.portolan.core.net.IpFamily;
import dev.portolan.nftables.BaseChain;
import dev.portolan.nftables.Hook;
import dev.portolan.walk.nft.table.CompiledTable;
import dev.portolan.walk.nft.table.CompiledTable.CompiledChain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What the kernel calls at one hook, in its order. Chains of type nat are not called at their own
 * priority: the kernel's nat does that, at its priority and in the order of theirs, until one of
 * them has changed the packet.
 *
 * @param stages in the order in which they are called
 */
record HookStages(List<Stage> stages) {
  private static final int INET = 1;
  private static final int CONNTRACK = -200;
  private static final int CHANGES_DESTINATION = -100;
  private static final int CHANGES_SOURCE = 100;

  /** A base chain with its table. */
  record Placed(CompiledTable table, CompiledChain chain, BaseChain base) {
    private boolean isNat() {
      return base.type().equals("nat");
    }
  }

  /** One chain or function that a hook calls. */
  sealed interface Stage {
    /** Conntrack finds out which connection a packet belongs to. */
    record Track() implements Stage {}

    /** A chain lets packets pass or not. */
    record Filter(Placed chain) implements Stage {}

    /** Chains may change one end of a packet. */
    record Nat(List<Placed> chains) implements Stage {
      public Nat {
        chains = List.copyOf(chains);
      }
    }
  }

  HookStages {
    stages = List.copyOf(stages);
  }

  /** What is called at {@code point} for packets of {@code family}. */
  static HookStages of(Collection<CompiledTable> tables, IpFamily family, Hook.Point point) {
    List<Placed> chains = new ArrayList<>();
    for (CompiledTable table : tables) {
      int of = table.name().family();
      if (of == INET || of == (family == IpFamily.IPV4 ? 2 : 10)) {
        for (CompiledChain chain : table.chains()) {
          chain
              .base()
              .filter(base -> base.isAt(point))
              .ifPresent(base -> chains.add(new Placed(table, chain, base)));
        }
      }
    }
    // If two have the same priority, the kernel first calls the one that was made later.
    chains.sort(
        Comparator.comparingInt((Placed it) -> it.base.priority())
            .thenComparing(it -> it.table.handle(), Comparator.reverseOrder())
            .thenComparing(it -> it.chain.handle(), Comparator.reverseOrder()));
    boolean first = point == Hook.Point.PREROUTING || point == Hook.Point.OUTPUT;
    int nat = first ? CHANGES_DESTINATION : CHANGES_SOURCE;
    List<Stage> stages = new ArrayList<>();
    boolean tracked = !first;
    boolean changed = point == Hook.Point.FORWARD;
    for (Placed chain : chains.stream().filter(it -> !it.isNat()).toList()) {
      if (!tracked && chain.base.priority() > CONNTRACK) {
        stages.add(new Stage.Track());
        tracked = true;
      }
      if (!changed && chain.base.priority() > nat) {
        stages.add(new Stage.Nat(chains.stream().filter(Placed::isNat).toList()));
        changed = true;
      }
      stages.add(new Stage.Filter(chain));
    }
    if (!tracked) {
      stages.add(new Stage.Track());
    }
    if (!changed) {
      stages.add(new Stage.Nat(chains.stream().filter(Placed::isNat).toList()));
    }
    return new HookStages(stages);
  }

  /** What is called before something at {@code priority}, or after it. */
  HookStages part(int priority, boolean before) {
    return new HookStages(
        stages.stream()
            .filter(stage ->
                before
                    == (!(stage instanceof Stage.Filter(Placed chain))
                        || chain.base.priority() <= priority))
            .toList());
  }
}
