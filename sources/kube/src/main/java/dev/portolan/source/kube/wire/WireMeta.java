package dev.portolan.source.kube.wire;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceMetadata;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@code metadata} of the object that is being read, as far as it is used; reused for each
 * object.
 */
final class WireMeta {
  private static final List<String> LABELS =
      List.of(
          EndpointSlice.SERVICE_NAME_LABEL,
          Service.HEADLESS_LABEL,
          Service.PROXY_NAME_LABEL,
          Node.ZONE_LABEL);
  private static final List<String> ANNOTATIONS =
      Stream.concat(
              Stream.of(EndpointSlice.TRIGGER_TIME_ANNOTATION), ServiceAnnotation.keys().stream())
          .toList();

  private final Map<String, String> labels = new HashMap<>();
  private final Map<String, String> annotations = new HashMap<>();
  private String name = "";
  private String namespace = "";
  private String resourceVersion = "";
  private Instant created = Instant.EPOCH;
  private boolean leaving;

  /** Forgets the last object. */
  void clear() {
    labels.clear();
    annotations.clear();
    name = "";
    namespace = "";
    resourceVersion = "";
    created = Instant.EPOCH;
    leaving = false;
  }

  /** Reads the metadata in the current field. */
  void read(WireReader in) throws DecodeException {
    read(in, false);
  }

  /** Reads the metadata in the current field, with every label and annotation. */
  void readAll(WireReader in) throws DecodeException {
    read(in, true);
  }

  private void read(WireReader in, boolean all) throws DecodeException {
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> name = in.text();
        case 3 -> namespace = in.name();
        case 6 -> resourceVersion = in.text();
        case 8 -> created = in.time();
        case 9 -> leaving = true;
        case 11 -> entry(in, all, LABELS, labels);
        case 12 -> entry(in, all, ANNOTATIONS, annotations);
        default -> {}
      }
    }
    in.leave(outer);
  }

  private static void entry(
      WireReader in, boolean all, List<String> wanted, Map<String, String> entries)
      throws DecodeException {
    String key = "";
    int outer = in.enter();
    while (in.next()) {
      if (in.field() == 1) {
        key = all ? in.name() : in.oneOf(wanted);
      } else if (in.field() == 2 && !key.isEmpty()) {
        entries.put(key, in.name());
      }
    }
    in.leave(outer);
  }

  String name() {
    return name;
  }

  String namespace() {
    return namespace;
  }

  NamespacedName namespacedName() {
    return new NamespacedName(namespace, name);
  }

  String resourceVersion() {
    return resourceVersion;
  }

  Instant created() {
    return created;
  }

  boolean isLeaving() {
    return leaving;
  }

  /** What was read of labels and annotations. */
  ServiceMetadata all() {
    return ServiceMetadata.of(labels, annotations);
  }

  /** A label's value; empty where the label is absent. */
  String label(String key) {
    return labels.getOrDefault(key, "");
  }

  /** A label, if it is there. */
  Optional<String> ifLabelled(String key) {
    return Optional.ofNullable(labels.get(key));
  }

  boolean hasLabel(String key) {
    return labels.containsKey(key);
  }

  /** An annotation's value; empty where the annotation is absent. */
  String annotation(String key) {
    return annotations.getOrDefault(key, "");
  }

  /** The time in an annotation, or null where there is none. */
  @Nullable Instant time(String annotation) {
    String text = annotation(annotation);
    try {
      return text.isEmpty() ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
