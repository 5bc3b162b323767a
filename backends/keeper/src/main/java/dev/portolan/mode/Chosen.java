package dev.portolan.mode;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Values of settings; those that were not chosen have their defaults. */
public final class Chosen {
  /** Nothing was chosen. */
  public static final Chosen NOTHING = new Chosen(Map.of());

  private final Map<String, Object> values;

  private Chosen(Map<String, Object> values) {
    this.values = Map.copyOf(values);
  }

  /** The same with these values, by the names of their settings. */
  public Chosen with(Map<String, ?> more) {
    Map<String, Object> all = new HashMap<>(values);
    all.putAll(more);
    return new Chosen(all);
  }

  /** The value of {@code setting}. */
  public <T> T of(Setting<T> setting) {
    return given(setting).orElseGet(() -> setting.type().read(setting.byDefault()));
  }

  /** The value of {@code setting}, if it was chosen. */
  @SuppressWarnings("unchecked")
  public <T> Optional<T> given(Setting<T> setting) {
    return Optional.ofNullable((T) values.get(setting.name()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Chosen chosen && values.equals(chosen.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
