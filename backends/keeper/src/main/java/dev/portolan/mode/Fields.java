package dev.portolan.mode;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The fields of kube-proxy's configuration by their paths in its latest version. */
public interface Fields {
  /** The value of a field, which exists. */
  Object value(String path);

  /** The same with these values. */
  default Fields with(Map<String, Object> values) {
    return path -> values.containsKey(path) ? values.get(path) : value(path);
  }

  /** The text at {@code path}. */
  default String text(String path) {
    return (String) value(path);
  }

  /** The truth at {@code path}. */
  default boolean truth(String path) {
    return (Boolean) value(path);
  }

  /** The whole number at {@code path}. */
  default int number(String path) {
    return ((Number) value(path)).intValue();
  }

  /** The duration at {@code path}. */
  default Duration duration(String path) {
    return (Duration) value(path);
  }

  /** The texts at {@code path}. */
  default List<String> texts(String path) {
    return ((List<?>) value(path)).stream().map(String.class::cast).toList();
  }
}
