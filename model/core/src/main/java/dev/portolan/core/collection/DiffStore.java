package dev.portolan.core.collection;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns full states into differences: the DiffStore of KEP-2104.
 *
 * <p>Work goes in waves. A backend writes all values of the state that it wants ({@link #put}, or
 * {@link #get} for values that are filled piece by piece; {@link BufferedDiffStore} is for texts),
 * says {@link #done}, and sees what was created, updated and deleted since the wave before; {@link
 * #reset} starts the next wave. A value that is not written again is a deletion, and a deletion is
 * a change.
 *
 * <pre>{@code
 * rules.reset();
 * state.forEach(service -> rules.put(service.name(), render(service)));
 * rules.done();
 * rules.deleted().forEach(kernel::remove);
 * rules.changed().forEach(kernel::write);
 * }</pre>
 *
 * <p>Values are compared with {@code equals} when the wave is done, and should not change after
 * that. Not safe for use by several threads at once.
 */
public final class DiffStore<K extends Comparable<? super K>, V> {
  private NavigableMap<K, V> previous = new TreeMap<>();
  private NavigableMap<K, V> current = new TreeMap<>();
  private @Nullable Differences<K, V> differences;
  private final @Nullable Supplier<? extends V> maker;

  /** A store for values that are put. */
  public DiffStore() {
    this.maker = null;
  }

  /** A store where {@link #get} creates values with {@code maker}, such as {@code TreeSet::new}. */
  public DiffStore(Supplier<? extends V> maker) {
    this.maker = maker;
  }

  private record Differences<K, V>(
      NavigableMap<K, V> created, NavigableMap<K, V> updated, NavigableMap<K, V> deleted) {}

  /** Writes a value of this wave; the last one written under a key counts. */
  public void put(K key, V value) {
    checkOpen();
    current.put(Objects.requireNonNull(key), Objects.requireNonNull(value));
  }

  /**
   * The value of this wave under {@code key}; where there is none, a new one, which then belongs to
   * this wave.
   *
   * @throws IllegalStateException where one is needed, and the wave is done or the store was not
   *     given a maker
   */
  public V get(K key) {
    V present = current.get(key);
    if (present != null) {
      return present;
    }
    checkOpen();
    if (maker == null) {
      throw new IllegalStateException(
          "no value under '" + key + "'; put one, or give the store a maker of values");
    }
    V made = Objects.requireNonNull(maker.get());
    current.put(key, made);
    return made;
  }

  /** Whether this wave has a value under {@code key}. */
  public boolean has(K key) {
    return current.containsKey(key);
  }

  void checkOpen() {
    if (differences != null) {
      throw new IllegalStateException("this wave is done; reset() starts the next one");
    }
  }

  /** Ends the wave: from here the differences can be read, and nothing more written. */
  public void done() {
    Differences<K, V> found = new Differences<>(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    current.forEach((key, value) -> {
      V before = previous.get(key);
      if (before == null) {
        found.created.put(key, value);
      } else if (!before.equals(value)) {
        found.updated.put(key, value);
      }
    });
    previous.forEach((key, value) -> {
      if (!current.containsKey(key)) {
        found.deleted.put(key, value);
      }
    });
    differences = found;
  }

  /** Starts the next wave; what this one wrote is what the next is compared with. */
  public void reset() {
    if (differences != null) {
      previous = current;
    }
    current = new TreeMap<>();
    differences = null;
  }

  /** Values under keys that the wave before did not have, in the order of the keys. */
  public SequencedMap<K, V> created() {
    return view(differences().created);
  }

  /** New values under keys that the wave before had with another value. */
  public SequencedMap<K, V> updated() {
    return view(differences().updated);
  }

  /** What was created or updated: all that has to be written. */
  public SequencedMap<K, V> changed() {
    NavigableMap<K, V> changed = new TreeMap<>(differences().created);
    changed.putAll(differences().updated);
    return changed;
  }

  /** The last values of keys that this wave did not write. */
  public SequencedMap<K, V> deleted() {
    return view(differences().deleted);
  }

  /** Whether anything was created, updated or deleted. */
  public boolean hasChanges() {
    Differences<K, V> found = differences();
    return !(found.created.isEmpty() && found.updated.isEmpty() && found.deleted.isEmpty());
  }

  /** Everything that this wave wrote. */
  public Map<K, V> values() {
    return Collections.unmodifiableMap(current);
  }

  private Differences<K, V> differences() {
    if (differences == null) {
      throw new IllegalStateException("done() has not been called for this wave");
    }
    return differences;
  }

  private static <K, V> SequencedMap<K, V> view(NavigableMap<K, V> map) {
    return Collections.unmodifiableSequencedMap(map);
  }
}
