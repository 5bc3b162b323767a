package dev.portolan.server.encoding;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values derived from objects, for as long as these live elsewhere: each is made once, and
 * forgotten with its object. A value must not refer to the object that it is derived from.
 */
final class IdentityCache<K, V> {
  private final ConcurrentMap<Object, V> made = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> dead = new ReferenceQueue<>();
  private final Function<K, V> make;

  IdentityCache(Function<K, V> make) {
    this.make = make;
  }

  /** What is made of {@code object}. */
  V get(K object) {
    forgetDead();
    V found = made.get(new Probe(object));
    return found != null
        ? found
        : made.computeIfAbsent(new Key(object, dead), _ -> make.apply(object));
  }

  /** How many are kept. */
  int size() {
    forgetDead();
    return made.size();
  }

  private void forgetDead() {
    for (Reference<?> gone = dead.poll(); gone != null; gone = dead.poll()) {
      made.remove(gone);
    }
  }

  /** An object by what it is, not by what it is equal to. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, ReferenceQueue<Object> dead) {
      super(object, dead);
      hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Object mine = get();
      return mine != null && other instanceof Key key && key.refersTo(mine);
    }
  }

  /** Finds the key of {@code object} without making one for the garbage collector to follow. */
  private record Probe(Object object) {
    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.refersTo(object);
    }
  }
}
