package dev.portolan.config.fields;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Moves values between paths and records whose components have the names of the fields. */
final class RecordBinding {
  private RecordBinding() {}

  /** The record of {@code type} with the values below {@code prefix}. */
  static <T> T bind(Class<T> type, String prefix, Settings settings) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String path = prefix + components[i].getName();
      Class<?> component = components[i].getType();
      if (component.isRecord()) {
        values[i] = bind(component, path + ".", settings);
      } else if (component == ProxyMode.class) {
        // A word that is not a mode is refused elsewhere, with its place.
        values[i] = ProxyMode.parse(settings.text(path)).orElse(ProxyMode.UNSET);
      } else {
        values[i] = settings.value(path);
      }
    }
    try {
      Constructor<T> constructor =
          type.getDeclaredConstructor(
              Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot build " + type.getSimpleName(), e);
    }
  }

  /** The values of a record by path. */
  static Map<String, Object> unbind(Record source) {
    Map<String, Object> values = new TreeMap<>();
    unbind(source, "", values);
    return values;
  }

  private static void unbind(Record source, String prefix, Map<String, Object> values) {
    for (RecordComponent component : source.getClass().getRecordComponents()) {
      Object value = read(component, source);
      String path = prefix + component.getName();
      if (value instanceof Record inner) {
        unbind(inner, path + ".", values);
      } else {
        values.put(path, value instanceof ProxyMode mode ? mode.toString() : value);
      }
    }
  }

  private static Object read(RecordComponent component, Record source) {
    try {
      return Objects.requireNonNull(component.getAccessor().invoke(source));
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }
}
