package dev.portolan.source.file;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.source.objects.Kind;
import dev.portolan.source.objects.Warnings;
import dev.portolan.text.Documents;
import dev.portolan.text.Field;
import dev.portolan.text.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The objects of one file, in their order, and what is odd about the file. */
record ManifestFile(List<Kind.Decoded> objects, List<String> warnings) {
  private static final String LIST = "List";

  ManifestFile {
    objects = List.copyOf(objects);
    warnings = List.copyOf(warnings);
  }

  /** Reads a text of YAML or JSON; {@code file} names it in messages. */
  static ManifestFile parse(String file, String text) {
    Reading reading = new Reading(file);
    for (Value document : Documents.read(file, text)) {
      reading.take(Field.object(file, "", document), "", "");
    }
    return new ManifestFile(reading.objects, reading.warnings.sentences());
  }

  /** Walks through documents and lists, and keeps what it decodes. */
  private static final class Reading {
    private final Warnings warnings;
    private final List<Kind.Decoded> objects = new ArrayList<>();

    private Reading(String file) {
      warnings = new Warnings(file);
    }

    /** Takes an object; an item of a typed list need not say what it is. */
    private void take(Field object, String listVersion, String listKind) {
      if (!object.isPresent()) {
        return;
      }
      String label = word(object, "kind", listKind);
      if (label == null || label.isEmpty()) {
        warnings.add(
            object.finding(
                (object.isMapping() ? "has no kind" : "is not an object")
                    + ", so it is not a Kubernetes manifest; ignored"));
        return;
      }
      String apiVersion = word(object, "apiVersion", listVersion);
      if (apiVersion == null) {
        apiVersion = "";
      }
      if (label.equals(LIST) && (apiVersion.isEmpty() || apiVersion.equals("v1"))) {
        items(object, "", "");
        return;
      }
      Kind kind = Kind.of(apiVersion, label);
      if (kind != null) {
        if (isUnderstood(object, kind, apiVersion)) {
          objects.add(kind.decode(object, warnings));
        }
        return;
      }
      String itemLabel = label.endsWith(LIST) ? label.substring(0, label.length() - 4) : "";
      Kind itemKind = Kind.of(apiVersion, itemLabel);
      if (itemKind == null) {
        Kind.meantBy(apiVersion, label)
            .ifPresent(meant -> warnings.add(object.at("kind").finding(meant)));
      } else if (isUnderstood(object, itemKind, apiVersion)) {
        items(object, apiVersion, itemLabel);
      }
    }

    private void items(Field list, String apiVersion, String kind) {
      for (Field item : list.at("items").items()) {
        take(item.asObject(kind), apiVersion, kind);
      }
    }

    private boolean isUnderstood(Field object, Kind kind, String apiVersion) {
      if (kind.understands(apiVersion)) {
        return true;
      }
      String problem = apiVersion.isEmpty() ? "missing" : quote(apiVersion) + " is not supported";
      warnings.add(
          object.at("apiVersion").finding(problem + "; ignored until it is " + kind.apiVersion()));
      return false;
    }

    /** The text of a field, {@code otherwise} where it is absent, null if it is not a string. */
    private static @Nullable String word(Field object, String key, String otherwise) {
      if (!object.isMapping()) {
        return null;
      }
      Field field = object.at(key);
      return !field.isPresent() ? otherwise : field.isText() ? field.text() : null;
    }
  }
}
