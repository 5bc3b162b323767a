package dev.portolan.source.objects;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.text.Field;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What all objects have in common: {@code metadata}. */
final class Metadata {
  /** Where an object lives that does not say it. */
  static final String DEFAULT_NAMESPACE = "default";

  private final Field metadata;

  Metadata(Field object) {
    metadata = object.at("metadata");
  }

  /** The object's name, which it must have. */
  String name() {
    Field name = metadata.at("name");
    if (name.text("").isEmpty()) {
      throw name.missing();
    }
    return name.text();
  }

  /** The object's name in its namespace. */
  NamespacedName namespacedName() {
    String namespace = metadata.at("namespace").text("");
    return new NamespacedName(namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace, name());
  }

  /** A label's value; empty where the label is absent. */
  String label(String key) {
    return metadata.at("labels").at(key).text("");
  }

  /** A label, if it is there. */
  Optional<String> ifLabelled(String key) {
    return hasLabel(key) ? Optional.of(label(key)) : Optional.empty();
  }

  /** Whether a label is there, whatever its value. */
  boolean hasLabel(String key) {
    label(key);
    return metadata.at("labels").has(key);
  }

  /** Every label and annotation. */
  ServiceMetadata all() {
    return ServiceMetadata.of(
        metadata.at("labels").textsByName(), metadata.at("annotations").textsByName());
  }

  /** When the object was made; the epoch if that is unknown. */
  Instant created() {
    Instant created = instant(metadata.at("creationTimestamp").text(""));
    return created == null ? Instant.EPOCH : created;
  }

  /** Whether the object is about to go. */
  boolean isLeaving() {
    return !metadata.at("deletionTimestamp").text("").isEmpty();
  }

  /** The time in an annotation, or null; an invalid time adds to {@code warnings}. */
  @Nullable Instant time(String annotation, Warnings warnings) {
    Field field = metadata.at("annotations").at(annotation);
    String text = field.text("");
    Instant time = instant(text);
    if (time == null && !text.isEmpty()) {
      warnings.add(
          field.finding(
              quote(text) + " is not a valid time such as 2026-01-31T23:59:59.5Z; ignored"));
    }
    return time;
  }

  private static @Nullable Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
