package dev.portolan.source.kube;

import static dev.portolan.core.text.Quotes.brief;

import dev.portolan.core.collection.PersistentMap;

/** The objects of one type while they are read: all of them anew, or changes to those held. */
final class Gathering<K extends Comparable<? super K>, V> {
  private final Resource<K, V> resource;
  private final PersistentMap<K, V> held;
  private final Troubles troubles;
  private PersistentMap<K, V> objects;

  private Gathering(
      Resource<K, V> resource,
      PersistentMap<K, V> held,
      PersistentMap<K, V> objects,
      Troubles troubles) {
    this.resource = resource;
    this.held = held;
    this.objects = objects;
    this.troubles = troubles;
  }

  /** Begins without objects; those that are the same as in {@code held} will be the very same. */
  static <K extends Comparable<? super K>, V> Gathering<K, V> anew(
      Resource<K, V> resource, PersistentMap<K, V> held, Troubles troubles) {
    return new Gathering<>(resource, held, PersistentMap.empty(), troubles);
  }

  /** Begins with the objects in {@code held}. */
  static <K extends Comparable<? super K>, V> Gathering<K, V> from(
      Resource<K, V> resource, PersistentMap<K, V> held, Troubles troubles) {
    return new Gathering<>(resource, held, held, troubles);
  }

  /** Takes an object; one that cannot be used is as good as none, and is told. */
  void put(Found<K, V> found) {
    V object = found.object();
    if (object == null) {
      troubles.note(
          resource.name()
              + " "
              + brief(found.key().toString())
              + ": "
              + found.oddity()
              + "; the object is ignored");
      remove(found);
      return;
    }
    V before = held.get(found.key());
    objects = objects.with(found.key(), before != null && before.equals(object) ? before : object);
  }

  /** Takes away an object. */
  void remove(Found<K, V> found) {
    objects = objects.without(found.key());
  }

  /** The objects so far. */
  PersistentMap<K, V> objects() {
    return objects;
  }
}
