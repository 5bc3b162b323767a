package dev.portolan.analyze;

import dev.portolan.analyze.KnownMistake.Severity;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.text.Tree;
import java.util.Comparator;
import java.util.Optional;

/**
 * A known mistake that was found in a cluster.
 *
 * @param field the path of the field, as in {@code spec.ports[0].nodePort}; empty for the whole
 *     object
 * @param text what is wrong, one sentence without a full stop
 * @param seen what a user notices of it
 * @param remedy what to do about it
 * @param place where the field is written, if the source knows it
 */
public record ClusterFinding(
    KnownMistake mistake,
    ObjectRef object,
    String field,
    String text,
    String seen,
    String remedy,
    Optional<Place> place)
    implements Comparable<ClusterFinding>, Tree.Shown {
  private static final Comparator<ClusterFinding> ORDER =
      Comparator.comparing((ClusterFinding finding) -> finding.mistake.severity())
          .thenComparing(finding -> finding.mistake.code())
          .thenComparing(ClusterFinding::object)
          .thenComparing(ClusterFinding::field)
          .thenComparing(ClusterFinding::text);

  /** A line of a file. */
  public record Place(String file, int line) {
    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  /** The same, with something else that a user notices. */
  public ClusterFinding seen(String words) {
    return new ClusterFinding(mistake, object, field, text, words, remedy, place);
  }

  /** The same with another remedy. */
  public ClusterFinding remedy(String words) {
    return new ClusterFinding(mistake, object, field, text, seen, words, place);
  }

  /** The same, written at {@code where}. */
  public ClusterFinding at(Place where) {
    return new ClusterFinding(mistake, object, field, text, seen, remedy, Optional.of(where));
  }

  /** The namespace of the object, if it lives in one. */
  public Optional<String> namespace() {
    int slash = object.name().indexOf('/');
    return slash < 0 ? Optional.empty() : Optional.of(object.name().substring(0, slash));
  }

  /** The object's name without its namespace. */
  public String name() {
    return object.name().substring(object.name().indexOf('/') + 1);
  }

  private record Row(
      String code,
      Severity severity,
      String kind,
      Optional<String> namespace,
      String name,
      String field,
      String text,
      String seen,
      String remedy,
      Optional<String> file,
      int line) {}

  @Override
  public Object shown() {
    return new Row(
        mistake.code(),
        mistake.severity(),
        object.kind(),
        namespace(),
        name(),
        field,
        text,
        seen,
        remedy,
        place.map(Place::file),
        place.map(Place::line).orElse(0));
  }

  @Override
  public int compareTo(ClusterFinding other) {
    return ORDER.compare(this, other);
  }
}
