package dev.portolan.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a tree for programs that says what it is, as objects of Kubernetes do: {@code apiVersion}
 * and {@code kind} come first. Every kind is listed in docs/output.md.
 */
public final class KindTree {
  /** The version of all kinds: fields keep their names and meanings, new ones may join. */
  public static final String VERSION = "portolan.dev/v1";

  private KindTree() {}

  /** The {@code fields} of something of that kind. */
  public static Map<String, @Nullable Object> of(
      String kind, Map<String, ? extends @Nullable Object> fields) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("apiVersion", VERSION);
    tree.put("kind", kind);
    tree.putAll(fields);
    return tree;
  }
}
