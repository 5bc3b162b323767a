package dev.portolan.config.fields;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Values of fields by their path, in the shape of one version.
 *
 * <p>A field may be absent until {@link Defaults} are applied.
 */
public final class Settings {
  private final ConfigVersion version;
  private final SortedMap<String, Object> values;

  private Settings(ConfigVersion version, SortedMap<String, Object> values) {
    this.version = version;
    this.values = Collections.unmodifiableSortedMap(values);
  }

  /** These values; every path must be one of the version. */
  public static Settings of(ConfigVersion version, Map<String, Object> values) {
    values.keySet().forEach(path -> FieldTable.row(version, path));
    return new Settings(version, new TreeMap<>(values));
  }

  /** No value at all. */
  public static Settings empty(ConfigVersion version) {
    return new Settings(version, new TreeMap<>());
  }

  /** Whose fields these are. */
  public ConfigVersion version() {
    return version;
  }

  /** The values that are there, by path. */
  public SortedMap<String, Object> values() {
    return values;
  }

  /** The value of a field, if it has one. */
  public Optional<Object> find(String path) {
    return Optional.ofNullable(values.get(path));
  }

  /** The same values except this one; the path must be one of the version. */
  public Settings with(String path, Object value) {
    FieldTable.row(version, path);
    SortedMap<String, Object> changed = new TreeMap<>(values);
    changed.put(path, value);
    return new Settings(version, changed);
  }

  /** The same values without this one. */
  public Settings without(String path) {
    SortedMap<String, Object> changed = new TreeMap<>(values);
    changed.remove(path);
    return new Settings(version, changed);
  }

  /** The value of a field; the zero of its type where it is absent. */
  public Object value(String path) {
    Object value = values.get(path);
    return value == null ? FieldTable.row(version, path).type(version).zero() : value;
  }

  /** Whether this mode is named. */
  public boolean isMode(ProxyMode mode) {
    return text("mode").equals(mode.toString());
  }

  /** The text at {@code path}. */
  public String text(String path) {
    return (String) value(path);
  }

  /** The truth at {@code path}. */
  public boolean truth(String path) {
    return (Boolean) value(path);
  }

  /** The whole number at {@code path}. */
  public long number(String path) {
    return ((Number) value(path)).longValue();
  }

  /** The duration at {@code path}. */
  public Duration duration(String path) {
    return (Duration) value(path);
  }

  /** The list of texts at {@code path}. */
  public List<String> texts(String path) {
    return ((List<?>) value(path)).stream().map(String.class::cast).toList();
  }

  /** The feature gates. */
  public SortedMap<String, Boolean> gates() {
    SortedMap<String, Boolean> gates = new TreeMap<>();
    ((Map<?, ?>) value("featureGates"))
        .forEach((name, on) -> gates.put((String) name, (Boolean) on));
    return gates;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings settings
        && version == settings.version
        && values.equals(settings.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return version + " " + values;
  }
}
