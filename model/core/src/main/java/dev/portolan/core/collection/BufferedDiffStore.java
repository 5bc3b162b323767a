package dev.portolan.core.collection;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * A {@link DiffStore} of texts that are written piece by piece: chains of rules, files, sections of
 * a configuration. Each wave starts with empty buffers, so a backend writes what it wants to have
 * as if there were nothing yet, and sees which of its texts differ from those of the wave before.
 *
 * <pre>{@code
 * chains.reset();
 * state.forEach(service -> chains.get(chain(service)).append(rule(service)));
 * chains.done();
 * chains.deleted().keySet().forEach(kernel::removeChain);
 * chains.changed().forEach(kernel::writeChain);
 * }</pre>
 *
 * <p>Not safe for use by several threads at once.
 */
public final class BufferedDiffStore<K extends Comparable<? super K>> {
  private final DiffStore<K, String> texts = new DiffStore<>();
  private Map<K, StringBuilder> buffers = new TreeMap<>();

  /** An empty store. */
  public BufferedDiffStore() {}

  /** The buffer of this wave under {@code key}, created where there is none. */
  public StringBuilder get(K key) {
    texts.checkOpen();
    return buffers.computeIfAbsent(key, any -> new StringBuilder());
  }

  /** Whether this wave has a buffer under {@code key}. */
  public boolean has(K key) {
    return buffers.containsKey(key);
  }

  /** Ends the wave: from here the differences can be read, and what was written stays. */
  public void done() {
    buffers.forEach((key, buffer) -> texts.put(key, buffer.toString()));
    texts.done();
  }

  /** Starts the next wave, with no buffers. */
  public void reset() {
    buffers = new TreeMap<>();
    texts.reset();
  }

  /** Texts under keys that the wave before did not have, in the order of the keys. */
  public SequencedMap<K, String> created() {
    return texts.created();
  }

  /** New texts under keys that the wave before had with another text. */
  public SequencedMap<K, String> updated() {
    return texts.updated();
  }

  /** What was created or updated: all that has to be written. */
  public SequencedMap<K, String> changed() {
    return texts.changed();
  }

  /** The last texts of keys that this wave did not ask for. */
  public SequencedMap<K, String> deleted() {
    return texts.deleted();
  }

  /** Whether anything was created, updated or deleted. */
  public boolean hasChanges() {
    return texts.hasChanges();
  }

  /** Every text of this wave, once it is done. */
  public Map<K, String> values() {
    return texts.values();
  }
}
