package dev.portolan.source.kube;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Source.Sink;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.source.kube.wire.Resource;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cluster as far as it is known, and the way from there to the sink: nothing before all of it
 * is known, then the whole after each change.
 */
final class ClusterCache {
  private final Sink sink;
  private final Set<String> awaited;
  private ClusterImage image = ClusterImage.EMPTY;
  private boolean complete;

  /** Whether the sink lacks the newest image: it throws, or not all is known. */
  private boolean owed;

  /** Read without the lock: a sink may ask from another thread, and hold what a watch waits for. */
  private volatile Map<String, String> versions = Map.of();

  /** {@code awaited} names the resources without which the cluster is not known. */
  ClusterCache(Sink sink, Set<String> awaited) {
    this.sink = sink;
    this.awaited = new HashSet<>(awaited);
  }

  /** All objects of a type that are held. */
  synchronized <K extends Comparable<? super K>, V> PersistentMap<K, V> objects(
      Resource<K, V> resource) {
    return resource.held().apply(image);
  }

  /** The version of the objects that are held, by the name of their type, where it is known. */
  Map<String, String> versions() {
    return versions;
  }

  /**
   * Replaces all objects of a type; the sink gets the cluster if that changed anything.
   *
   * @param version of these objects; empty where they have none
   */
  synchronized <K extends Comparable<? super K>, V> void replace(
      Resource<K, V> resource, PersistentMap<K, V> objects, String version) {
    ClusterImage before = image;
    Map<String, String> known = new TreeMap<>(versions);
    known.put(resource.name(), version);
    known.values().removeIf(String::isEmpty);
    versions = Collections.unmodifiableMap(known);
    image = resource.with().apply(image, objects);
    awaited.remove(resource.name());
    if (!awaited.isEmpty()) {
      return;
    }
    owed |= !complete || !image.isIdenticalTo(before);
    if (owed) {
      complete = true;
      sink.apply(image);
      owed = false;
    }
  }

  /** Whether the sink has the cluster. */
  synchronized boolean isComplete() {
    return complete;
  }

  /** Hands a failure to the sink, after which it is tried again. */
  synchronized void retrying(ErrorCode code, String problem, String meanwhile) {
    sink.retrying(code, problem, meanwhile);
  }

  /** Says to the sink that nothing fails any more. */
  synchronized void recovered() {
    sink.recovered();
  }

  /** Hands a sentence to the sink. */
  synchronized void report(String sentence) {
    sink.report(sentence);
  }
}
