package dev.portolan.terminal.query;

import dev.portolan.terminal.KindTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result for programs: a tree, and the items in it that have a name.
 *
 * @param tree what {@code -o json} prints
 * @param items what {@code -o name} and {@code -o custom-columns} have a line for
 */
public record ResultTree(Map<String, @Nullable Object> tree, List<Item> items) {
  /** A thing in a result, and its name as {@code TYPE/NAME}. */
  public record Item(String name, Map<String, ? extends @Nullable Object> tree) {}

  /** One thing. */
  public static ResultTree of(
      String kind, String name, Map<String, ? extends @Nullable Object> fields) {
    Map<String, @Nullable Object> tree = KindTree.of(kind, fields);
    return new ResultTree(tree, List.of(new Item(name, tree)));
  }

  /** A list of things in the field {@code key}, after the {@code facts} about all of them. */
  public static ResultTree list(
      String kind, Map<String, ? extends @Nullable Object> facts, String key, List<Item> items) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>(facts);
    fields.put(key, items.stream().map(Item::tree).toList());
    return new ResultTree(KindTree.of(kind, fields), items);
  }
}
