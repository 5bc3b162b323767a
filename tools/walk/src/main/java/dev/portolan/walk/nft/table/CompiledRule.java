package dev.portolan.walk.nft.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule whose expressions were decoded.
 *
 * @param number its place in its chain, from 1 on
 * @param repeats whether it consists of the same expressions as the rule before it
 */
public record CompiledRule(
    CompiledTable table,
    String chain,
    int number,
    long handle,
    List<NftExpression> expressions,
    boolean repeats,
    String comment)
    implements Waypoint {
  /** A rule; its expressions do not change. */
  public CompiledRule {
    expressions = List.copyOf(expressions);
  }

  /** {@code ip portolan services 3}. */
  @Override
  public String place() {
    return table.words(this).place();
  }

  /** Whether something from an expression on changes a packet or its way. */
  public boolean mattersFrom(int first) {
    return expressions.subList(first, expressions.size()).stream()
        .anyMatch(each ->
            switch (each) {
              case NftExpression.StoreHeader _,
                  NftExpression.StoreMeta _,
                  NftExpression.StoreConnection _,
                  NftExpression.VerdictFromMap _,
                  NftExpression.Decide _,
                  NftExpression.Translate _,
                  NftExpression.Redirect _,
                  NftExpression.Masquerade _,
                  NftExpression.Reject _,
                  NftExpression.Untrack _ ->
                  true;
              case NftExpression.Obscure(String name) -> ENDING.contains(name);
              default -> false;
            });
  }

  /** Expressions that are not understood, but known to decide what becomes of a packet. */
  private static final List<String> ENDING = List.of("queue", "tproxy", "fwd", "synproxy");

  /** In nft's words. */
  @Override
  public String text() {
    return table.words(this).text();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return place() + ": " + text();
  }
}
