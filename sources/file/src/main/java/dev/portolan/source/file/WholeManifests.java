package dev.portolan.source.file;

import dev.portolan.text.DocumentSink;
import dev.portolan.text.Documents;
import dev.portolan.text.Field;
import dev.portolan.text.TextException;
import dev.portolan.text.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of all kinds in manifests, with all their fields: what a proxy does not need, and
 * some commands do.
 */
public final class WholeManifests {
  private static final String LIST = "List";

  private WholeManifests() {}

  /**
   * What {@code reading} makes of the objects in a file, or in all manifests of a folder. The
   * objects themselves are not kept.
   */
  public static <T> List<T> read(Path path, Function<Field, Optional<T>> reading) {
    List<T> all = new ArrayList<>();
    ManifestListing.of(path)
        .files()
        .keySet()
        .forEach(file -> {
          try {
            all.addAll(parse(file.toString(), ManifestLibrary.text(file), reading));
          } catch (IOException | SecurityException e) {
            throw ManifestListing.unreadable(file, e);
          }
        });
    return all;
  }

  /** The same for the objects in a text, which {@code name} names in messages. */
  public static <T> List<T> parse(String name, String text, Function<Field, Optional<T>> reading) {
    return Documents.read(name, text, () -> new Walk<>(name, reading)).finish();
  }

  /** Walks through documents and lists. */
  private static final class Walk<T> implements DocumentSink {
    private final String file;
    private final Function<Field, Optional<T>> reading;
    private final List<T> made = new ArrayList<>();
    private @Nullable TextException failure;

    private Walk(String file, Function<Field, Optional<T>> reading) {
      this.file = file;
      this.reading = reading;
    }

    @Override
    public boolean item(Value item, Value list) {
      Field object = Field.object(file, "", item);
      boolean named = object.isMapping() && object.at("kind").isText();
      if (named) {
        take(object);
      }
      return named;
    }

    @Override
    public void document(Value document) {
      take(Field.object(file, "", document));
    }

    private void take(Field object) {
      if (failure != null || !object.isMapping() || !object.at("kind").isText()) {
        return;
      }
      try {
        if (object.at("kind").text().endsWith(LIST)) {
          object.at("items").items().forEach(item -> take(item.asObject("")));
        } else {
          reading.apply(object).ifPresent(made::add);
        }
      } catch (TextException e) {
        failure = e;
      }
    }

    private List<T> finish() {
      if (failure != null) {
        throw failure;
      }
      return made;
    }
  }
}
