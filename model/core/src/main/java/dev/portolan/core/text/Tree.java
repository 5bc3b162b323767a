package dev.portolan.core.text;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values as programs see them: trees of maps, lists, texts, numbers and booleans, of which JSON,
 * YAML and the chart's answers are made.
 *
 * <p>A record is a map of its components, in their order; its declaration is all there is to say. A
 * value that says itself how it is written is that text: an address, an enum, a time, a record with
 * a {@code toString} of its own. What is absent is an empty text, or 0 where it would be a number.
 * A set is in the order of its values, unless it has one.
 */
public final class Tree {
  private static final ClassValue<Form> FORMS =
      new ClassValue<>() {
        @Override
        protected Form computeValue(Class<?> type) {
          try {
            return Form.of(type);
          } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
          }
        }
      };

  private Tree() {}

  /** What programs see as another value, for instance because its parts are not what it means. */
  public interface Shown {
    /** That value. */
    Object shown();
  }

  /** The fields of a value, in order, where they are others than the components of a record. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  public @interface Fields {
    /** The names of methods without parameters, separated by spaces: those of the fields. */
    String value();
  }

  /** Another name for a field than that of the component or method. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  public @interface Named {
    /** The name of the field. */
    String value();
  }

  /** The fields of this value stand among those around it. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  public @interface Inline {}

  /** The field is left out where its value is false, 0 or empty. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  public @interface OmitEmpty {}

  /** The fields of a type, if it has some, and whether it is a text all the same. */
  private record Form(List<Field> fields, boolean text) {
    static Form of(Class<?> type) throws NoSuchMethodException {
      List<Field> fields = new ArrayList<>();
      Fields named = type.getAnnotation(Fields.class);
      if (named != null) {
        for (String name : named.value().split(" ", -1)) {
          fields.add(Field.of(type.getDeclaredMethod(name)));
        }
      } else if (type.isRecord()) {
        for (RecordComponent component : type.getRecordComponents()) {
          fields.add(Field.of(component.getAccessor()));
        }
      }
      // The compiler's own methods of a record are final, those of its author are not.
      boolean written = !Modifier.isFinal(type.getMethod("toString").getModifiers());
      return new Form(fields, named == null && (written || !type.isRecord()));
    }

    Map<String, Object> tree(Object value) {
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("'" + value + "' has no fields");
      }
      Map<String, Object> tree = new LinkedHashMap<>();
      fields.forEach(field -> field.addTo(tree, value));
      return tree;
    }
  }

  private record Field(String name, Method accessor, boolean inline, boolean omitEmpty) {
    static Field of(Method accessor) {
      accessor.setAccessible(true);
      Named named = accessor.getAnnotation(Named.class);
      return new Field(
          named == null ? accessor.getName() : named.value(),
          accessor,
          accessor.isAnnotationPresent(Inline.class),
          accessor.isAnnotationPresent(OmitEmpty.class));
    }

    void addTo(Map<String, Object> tree, Object owner) {
      Object value = valueIn(owner);
      if (inline) {
        tree.putAll(Tree.of(Objects.requireNonNull(value)));
        return;
      }
      if (!omitEmpty || !isEmpty(value)) {
        tree.put(name, value(value));
      }
    }

    private @Nullable Object valueIn(Object owner) {
      try {
        return accessor.invoke(owner);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
      }
    }
  }

  /** The fields of a value, even if it is a text where it stands in another one. */
  public static Map<String, Object> of(Object value) {
    return switch (value) {
      case Shown other -> of(other.shown());
      case Map<?, ?> map -> map(map);
      default -> FORMS.get(value.getClass()).tree(value);
    };
  }

  /** The fields of a value as they are, by their names, even where programs see another value. */
  public static Map<String, Object> fields(Object value) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (Field field : FORMS.get(value.getClass()).fields) {
      fields.put(field.name, Objects.requireNonNull(field.valueIn(value)));
    }
    return fields;
  }

  /** What compares a field: its name, and what is in it before and after. */
  public interface Comparison {
    /** Compares the field {@code name}. */
    void compare(String name, Object before, Object after);
  }

  /** Hands over the fields in which two values of one type differ. */
  public static void differences(Object before, Object after, Comparison comparison) {
    Map<String, Object> old = fields(before);
    fields(after)
        .forEach((name, now) -> {
          Object was = Objects.requireNonNull(old.get(name));
          if (!was.equals(now)) {
            comparison.compare(name, was, now);
          }
        });
  }

  private static Map<String, Object> map(Map<?, ?> map) {
    Map<String, Object> tree = new LinkedHashMap<>();
    map.forEach((key, each) -> {
      Object shown = key instanceof Shown other ? other.shown() : key;
      tree.put(shown.toString(), value(each));
    });
    return tree;
  }

  private static @Nullable Object value(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Number number -> number;
      case Boolean truth -> truth;
      case Shown other -> value(other.shown());
      case Optional<?> optional -> value(optional.isEmpty() ? "" : optional.get());
      case OptionalInt optional -> optional.orElse(0);
      case Set<?> set when !(set instanceof SequencedSet<?>) ->
          set.stream().sorted().map(Tree::value).toList();
      case Collection<?> all -> all.stream().map(Tree::value).toList();
      case Map<?, ?> map -> map(map);
      default -> {
        Form form = FORMS.get(value.getClass());
        yield form.text ? value.toString() : form.tree(value);
      }
    };
  }

  private static boolean isEmpty(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case String text -> text.isEmpty();
      case Number number -> number.doubleValue() == 0;
      case Boolean truth -> !truth;
      case Collection<?> all -> all.isEmpty();
      case Map<?, ?> map -> map.isEmpty();
      case Optional<?> optional -> optional.isEmpty();
      default -> false;
    };
  }
}
