package dev.portolan.source.file;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.source.objects.Kind;
import dev.portolan.source.objects.Warnings;
import dev.portolan.text.DocumentSink;
import dev.portolan.text.Documents;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
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
  static ManifestFile parse(String file, String text, ReadProgress progress) {
    return Documents.read(file, text, () -> new Reading(file, progress)).finish();
  }

  /**
   * Walks through documents and lists, and keeps what it decodes.
   *
   * <p>The items of a list are decoded while the list is being read, so that the tree of a whole
   * cluster is never there at once. Only at its end does a document say that it is such a list.
   */
  private static final class Reading implements DocumentSink {
    private final String file;
    private final ReadProgress progress;
    private final Warnings warnings;
    private final List<Kind.Decoded> objects = new ArrayList<>();

    /** What was decoded of a document that is not read to its end. */
    private @Nullable Reading items;

    /** The first mistake in an object; one in the syntax, anywhere in the file, comes before it. */
    private @Nullable TextException failure;

    private Reading(String file, ReadProgress progress) {
      this.file = file;
      this.progress = progress;
      warnings = new Warnings(file);
    }

    private ManifestFile finish() {
      if (failure != null) {
        throw failure;
      }
      return new ManifestFile(objects, warnings.sentences());
    }

    /** Takes an item that says what it is, or whose list has said so before it. */
    @Override
    public boolean item(Value item, Value list) {
      Field object = Field.object(file, "", item);
      String kind = word(object, "kind", "");
      String apiVersion = word(object, "apiVersion", "");
      if (kind != null && !kind.isEmpty() && apiVersion != null && !apiVersion.isEmpty()) {
        early().attempt(object, "", "", null);
        return true;
      }
      Field typed = Field.object(file, "", list);
      String listVersion = word(typed, "apiVersion", "");
      if (listVersion == null) {
        return false;
      }
      String itemLabel = itemLabel(word(typed, "kind", ""));
      Kind itemKind = Kind.of(listVersion, itemLabel);
      if (itemKind == null || !itemKind.understands(listVersion)) {
        return false;
      }
      early().attempt(object.asObject(itemLabel), listVersion, itemLabel, null);
      return true;
    }

    private Reading early() {
      if (items == null) {
        items = new Reading(file, progress);
      }
      return items;
    }

    @Override
    public void document(Value document) {
      Reading early = items;
      items = null;
      attempt(Field.object(file, "", document), "", "", early);
    }

    @Override
    public void reached(int characters) {
      progress.reached(characters);
    }

    private void attempt(
        Field object, String listVersion, String listKind, @Nullable Reading early) {
      if (failure == null) {
        try {
          take(object, listVersion, listKind, early);
        } catch (TextException e) {
          failure = e;
        }
      }
    }

    /**
     * Takes an object; an item of a typed list need not say what it is.
     *
     * @param early what was decoded of its items already
     */
    private void take(Field object, String listVersion, String listKind, @Nullable Reading early) {
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
        items(object, "", "", early);
        return;
      }
      Kind kind = Kind.of(apiVersion, label);
      if (kind != null) {
        if (isUnderstood(object, kind, apiVersion)) {
          objects.add(kind.decode(object, warnings));
        }
        return;
      }
      String itemLabel = itemLabel(label);
      Kind itemKind = Kind.of(apiVersion, itemLabel);
      if (itemKind == null) {
        Kind.meantBy(apiVersion, label)
            .ifPresent(meant -> warnings.add(object.at("kind").finding(meant)));
      } else if (isUnderstood(object, itemKind, apiVersion)) {
        items(object, apiVersion, itemLabel, early);
      }
    }

    private void items(Field list, String apiVersion, String kind, @Nullable Reading early) {
      if (early != null) {
        objects.addAll(early.finish().objects());
        warnings.add(early.warnings);
      }
      for (Field item : list.at("items").items()) {
        take(item.asObject(kind), apiVersion, kind, null);
      }
    }

    /** What the items of a list are; empty where {@code label} is none. */
    private static String itemLabel(@Nullable String label) {
      return label != null && label.endsWith(LIST)
          ? label.substring(0, label.length() - LIST.length())
          : "";
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
