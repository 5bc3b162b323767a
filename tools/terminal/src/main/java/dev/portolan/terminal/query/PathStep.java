package dev.portolan.terminal.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One step of a path: from a value to those that it leads to. What does not exist leads nowhere.
 */
sealed interface PathStep {
  /** Hands on what {@code value} leads to. */
  void from(@Nullable Object value, Consumer<@Nullable Object> found);

  /** Where a path leads from {@code start}. */
  static List<@Nullable Object> walk(List<PathStep> path, @Nullable Object start) {
    List<@Nullable Object> values = new ArrayList<>();
    values.add(start);
    for (PathStep step : path) {
      List<@Nullable Object> next = new ArrayList<>();
      values.forEach(value -> step.from(value, next::add));
      values = next;
    }
    return values;
  }

  /** The field of a mapping. */
  record Key(String name) implements PathStep {
    @Override
    public void from(@Nullable Object value, Consumer<@Nullable Object> found) {
      if (value instanceof Map<?, ?> map && map.containsKey(name)) {
        found.accept(map.get(name));
      }
    }
  }

  /** Every value of a mapping or item of a list. */
  record All() implements PathStep {
    @Override
    public void from(@Nullable Object value, Consumer<@Nullable Object> found) {
      if (value instanceof Map<?, ?> map) {
        for (Object child : map.values()) {
          found.accept(child);
        }
      } else if (value instanceof List<?> list) {
        for (Object child : list) {
          found.accept(child);
        }
      }
    }
  }

  /** One item of a list; a negative number counts from the end. */
  record Item(int index) implements PathStep {
    @Override
    public void from(@Nullable Object value, Consumer<@Nullable Object> found) {
      if (value instanceof List<?> list) {
        int at = index < 0 ? list.size() + index : index;
        if (at >= 0 && at < list.size()) {
          found.accept(list.get(at));
        }
      }
    }
  }

  /** A slice of a list: from, to and step. */
  record Slice(OptionalInt start, OptionalInt end, int every) implements PathStep {
    @Override
    public void from(@Nullable Object value, Consumer<@Nullable Object> found) {
      if (value instanceof List<?> list) {
        int to = place(end.orElse(list.size()), list);
        for (int i = place(start.orElse(0), list); i < to; i += every) {
          found.accept(list.get(i));
        }
      }
    }

    private static int place(int index, List<?> list) {
      return Math.clamp(index < 0 ? list.size() + index : index, 0, list.size());
    }
  }

  /** What any of several steps leads to. */
  record Union(List<PathStep> steps) implements PathStep {
    @Override
    public void from(@Nullable Object value, Consumer<@Nullable Object> found) {
      steps.forEach(step -> step.from(value, found));
    }
  }

  /** A value and everything below it. */
  record Below() implements PathStep {
    @Override
    public void from(@Nullable Object value, Consumer<@Nullable Object> found) {
      found.accept(value);
      new All().from(value, child -> from(child, found));
    }
  }

  /** The items of a list for which a comparison holds. */
  record Filter(Operand left, String operator, Operand right) implements PathStep {
    @Override
    public void from(@Nullable Object value, Consumer<@Nullable Object> found) {
      new All()
          .from(
              value,
              item -> {
                if (holds(item)) {
                  found.accept(item);
                }
              });
    }

    private boolean holds(@Nullable Object item) {
      List<@Nullable Object> ones = left.values(item);
      if (operator.isEmpty()) {
        return !ones.isEmpty();
      }
      List<@Nullable Object> others = right.values(item);
      return ones.stream().anyMatch(one -> others.stream().anyMatch(other -> compare(one, other)));
    }

    private boolean compare(@Nullable Object one, @Nullable Object other) {
      if (operator.equals("==") || operator.equals("!=")) {
        return operator.equals("==") == Values.isEqual(one, other);
      }
      int order = Values.compare(one, other);
      return switch (operator) {
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        default -> order >= 0;
      };
    }
  }

  /** One side of a comparison: a value as it is written, or where a path leads from the item. */
  record Operand(@Nullable Object constant, @Nullable List<PathStep> path) {
    List<@Nullable Object> values(@Nullable Object item) {
      if (path != null) {
        return walk(path, item);
      }
      List<@Nullable Object> alone = new ArrayList<>();
      alone.add(constant);
      return alone;
    }
  }
}
