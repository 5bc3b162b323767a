package dev.portolan.terminal.query;

import dev.portolan.terminal.VersionedTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A result for programs: a tree, and the items in it that have a name.
 *
 * @param tree what {@code -o json} prints
 * @param items what {@code -o name} and {@code -o custom-columns} have a line for
 */
public record ResultTree(Map<String, Object> tree, List<Item> items) {
  /** A thing in a result, and its name as {@code TYPE/NAME}. */
  public record Item(String name, Map<String, ?> tree) {}

  /** One thing. */
  public static ResultTree of(String kind, String name, Map<String, ?> fields) {
    Map<String, Object> tree = VersionedTree.of(kind, fields);
    return new ResultTree(tree, List.of(new Item(name, tree)));
  }

  /** A list of things in the field {@code key}, after the {@code facts} about all of them. */
  public static ResultTree list(String kind, Map<String, ?> facts, String key, List<Item> items) {
    Map<String, Object> fields = new LinkedHashMap<>(facts);
    fields.put(key, items.stream().map(Item::tree).toList());
    return new ResultTree(VersionedTree.of(kind, fields), items);
  }
}
