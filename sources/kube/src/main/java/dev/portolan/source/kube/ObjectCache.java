package dev.portolan.source.kube;

import static dev.portolan.core.text.Quotes.brief;

import dev.portolan.core.collection.PersistentMap;
import dev.portolan.source.kube.wire.ReceivedObject;
import dev.portolan.source.kube.wire.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The objects of one type while they are read: all of them again, or changes to those held. */
final class ObjectCache<K extends Comparable<? super K>, V> {
  private final Resource<K, V> resource;
  private PersistentMap<K, V> held;
  private final ProblemLog problems;
  private PersistentMap<K, V> objects;
  private final Map<K, Optional<V>> changes = new LinkedHashMap<>();

  private ObjectCache(
      Resource<K, V> resource,
      PersistentMap<K, V> held,
      PersistentMap<K, V> objects,
      ProblemLog problems) {
    this.resource = resource;
    this.held = held;
    this.objects = objects;
    this.problems = problems;
  }

  /** Starts empty; an object that equals the one in {@code held} will be the same instance. */
  static <K extends Comparable<? super K>, V> ObjectCache<K, V> empty(
      Resource<K, V> resource, PersistentMap<K, V> held, ProblemLog problems) {
    return new ObjectCache<>(resource, held, PersistentMap.empty(), problems);
  }

  /** Starts with the objects in {@code held}. */
  static <K extends Comparable<? super K>, V> ObjectCache<K, V> of(
      Resource<K, V> resource, PersistentMap<K, V> held, ProblemLog problems) {
    return new ObjectCache<>(resource, held, held, problems);
  }

  /** Adds or replaces an object; a malformed one is reported and treated as absent. */
  void put(ReceivedObject<K, V> received) {
    V object = received.object();
    if (object == null) {
      problems.note(
          resource.name()
              + " "
              + brief(received.key().toString())
              + ": "
              + received.problem()
              + "; the object is ignored");
      remove(received);
      return;
    }
    V before = held.get(received.key());
    V kept = before != null && before.equals(object) ? before : object;
    changes.put(resource.ownKey().apply(kept), Optional.of(kept));
  }

  /** Removes an object. */
  void remove(ReceivedObject<K, V> received) {
    changes.put(received.key(), Optional.empty());
  }

  /**
   * The objects so far, made from those held; from now on these are held. What comes later is put
   * into this very map, so that two versions differ only in what changed between them, and cost
   * only that to compare.
   */
  PersistentMap<K, V> objects() {
    PersistentMap<K, V> edited = objects.edited(changes);
    objects = objects.isIdenticalTo(held) ? edited : edited.sharing(held);
    changes.clear();
    held = objects;
    return objects;
  }
}
