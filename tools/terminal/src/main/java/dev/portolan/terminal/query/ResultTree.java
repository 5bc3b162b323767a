package dev.portolan.terminal.query;

import dev.portolan.core.text.Tree;
import dev.portolan.terminal.VersionedTree;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A result for programs: a tree, and the items in it that have a name.
 *
 * @param tree what {@code -o json} prints
 * @param items what {@code -o name} and {@code -o custom-columns} have a line for
 */
public record ResultTree(Map<String, Object> tree, List<Item> items) {
  /** A thing in a result, and its name as {@code TYPE/NAME}. */
  public record Item(String name, Map<String, ?> tree) {
    /** The thing that is {@code value}. */
    public static Item of(String name, Object value) {
      return new Item(name, Tree.of(value));
    }
  }

  /** One thing. */
  public static ResultTree of(String kind, String name, Object value) {
    Map<String, Object> tree = VersionedTree.of(kind, value);
    return new ResultTree(tree, List.of(new Item(name, tree)));
  }

  /** A list of things in the field {@code key}, after the fields of {@code facts} about all. */
  public static <T> ResultTree list(
      String kind, Object facts, String key, List<T> things, Function<T, String> name) {
    List<Item> items = things.stream().map(thing -> Item.of(name.apply(thing), thing)).toList();
    Map<String, Object> tree = VersionedTree.of(kind, facts);
    tree.put(key, items.stream().map(Item::tree).toList());
    return new ResultTree(tree, items);
  }
}
