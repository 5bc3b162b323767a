package dev.portolan.terminal.query;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A template in kubectl's JSONPath: text, and expressions in braces.
 *
 * <p>An expression is a path ({@code .a.b}, {@code ['x']}, {@code [0]}, {@code [-1]}, {@code [*]},
 * {@code [1:3]}, {@code [0,2]}, {@code ..x}, {@code [?(@.x=="y")]}), a quoted text, or {@code range
 * PATH} up to {@code end}. Several results stand side by side; a field that does not exist is
 * nothing. A template without braces is one expression.
 */
public final class JsonPath {
  private final List<Part> parts;

  JsonPath(List<Part> parts) {
    this.parts = parts;
  }

  /** A piece of a template. */
  sealed interface Part {}

  /** Text as it is. */
  record Literal(String text) implements Part {}

  /** Where a path leads, from the root or from the item of the range around it. */
  record Expression(List<PathStep> path, boolean fromRoot) implements Part {}

  /** The same for each value that a path leads to. */
  record Range(Expression items, List<Part> body) implements Part {}

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException if it is not one, with a message for the user
   */
  public static JsonPath parse(String template) {
    return new PathParser(template.contains("{") ? template : "{" + braceless(template) + "}")
        .template();
  }

  /** Reads one path; braces and the first dot may be left out, as kubectl's columns allow. */
  public static JsonPath path(String text) {
    String bare = text.strip();
    if (bare.startsWith("{") && bare.endsWith("}")) {
      bare = bare.substring(1, bare.length() - 1);
    }
    if (bare.isEmpty() || bare.contains("{") || bare.contains("}")) {
      throw new IllegalArgumentException("'" + text + "' is not a path; write one such as .name");
    }
    return new PathParser("{" + braceless(bare) + "}").template();
  }

  private static String braceless(String path) {
    return path.isEmpty() || ".[$@".indexOf(path.charAt(0)) >= 0 ? path : "." + path;
  }

  /** The template filled in from {@code tree}. */
  public String render(@Nullable Object tree) {
    StringBuilder text = new StringBuilder();
    render(parts, tree, tree, text);
    return text.toString();
  }

  /** Sorts by what the path leads to in the tree of each item. */
  public <T> Comparator<T> order(Function<T, ? extends Map<String, ?>> tree) {
    return (one, other) -> Values.compare(first(tree.apply(one)), first(tree.apply(other)));
  }

  private @Nullable Object first(Object tree) {
    List<@Nullable Object> found = find(tree);
    return found.isEmpty() ? null : found.getFirst();
  }

  /** What the path leads to. */
  List<@Nullable Object> find(Object tree) {
    return parts.getFirst() instanceof Expression expression
        ? PathStep.walk(expression.path, tree)
        : List.of();
  }

  private static void render(
      List<Part> parts, @Nullable Object root, @Nullable Object here, StringBuilder text) {
    for (Part part : parts) {
      switch (part) {
        case Literal literal -> text.append(literal.text);
        case Expression expression ->
            text.append(
                found(expression, root, here).stream()
                    .map(Values::text)
                    .collect(Collectors.joining(" ")));
        case Range range ->
            found(range.items, root, here).forEach(item -> render(range.body, root, item, text));
      }
    }
  }

  private static List<@Nullable Object> found(
      Expression expression, @Nullable Object root, @Nullable Object here) {
    return PathStep.walk(expression.path, expression.fromRoot ? root : here);
  }
}
