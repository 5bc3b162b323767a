package dev.portolan.terminal;

import dev.portolan.core.text.Tree;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What every tree for programs begins with: its kind, and the version of its shape. Within a
 * version fields keep their names and meanings; new ones may join. A number that is not set is 0, a
 * text that is not set is empty, a list is always there; nothing is null.
 */
public final class VersionedTree {
  /** The version of all trees that are printed. */
  public static final String API_VERSION = "portolan.dev/v1";

  private VersionedTree() {}

  /** The tree of {@code kind} with the fields of {@code value}. */
  public static Map<String, Object> of(String kind, Object value) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", kind);
    tree.put("apiVersion", API_VERSION);
    tree.putAll(Tree.of(value));
    return tree;
  }
}
