package dev.portolan.compare.decisions;

import dev.portolan.core.text.Tree;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Some of the nodes that were looked at. */
public final class NodeSet implements Tree.Shown {
  private final List<String> all;
  private final BitSet members;

  /**
   * The nodes at these places of {@code all}.
   *
   * @param members not changed afterwards
   */
  NodeSet(List<String> all, BitSet members) {
    this.all = all;
    this.members = members;
  }

  /** How many they are. */
  public int size() {
    return members.cardinality();
  }

  /** How many were looked at. */
  public int outOf() {
    return all.size();
  }

  /** Whether every node that was looked at is among them. */
  public boolean isAll() {
    return size() == outOf();
  }

  /** Their names, in the order in which they were looked at. */
  public List<String> names() {
    return members.stream().mapToObj(all::get).toList();
  }

  /** Whether a node is among them. */
  public boolean contains(String name) {
    int place = all.indexOf(name);
    return place >= 0 && members.get(place);
  }

  /** Those of them that fulfil a condition. */
  public NodeSet only(Predicate<String> condition) {
    BitSet some = new BitSet();
    members.stream().filter(place -> condition.test(all.get(place))).forEach(some::set);
    return new NodeSet(all, some);
  }

  private record Counted(int count, boolean all, List<String> names) {}

  /** Names are listed only where not all nodes are meant. */
  @Override
  public Object shown() {
    return new Counted(size(), isAll(), isAll() ? List.of() : names());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeSet set && set.members.equals(members) && set.all.equals(all);
  }

  @Override
  public int hashCode() {
    return members.hashCode();
  }

  /** {@code 2 of 3: worker-1, worker-2}. */
  @Override
  public String toString() {
    return size() + " of " + outOf() + ": " + String.join(", ", names());
  }
}
