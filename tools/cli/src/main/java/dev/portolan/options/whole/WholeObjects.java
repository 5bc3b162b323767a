package dev.portolan.options.whole;

import dev.portolan.source.file.WholeManifests;
import dev.portolan.text.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a source has beyond what a proxy reads: objects of every kind, with all their fields. Few
 * commands need them, so they are read for these alone.
 */
public interface WholeObjects {
  /** A source that has nothing else, such as a brain. */
  WholeObjects NONE = new WholeObjects() {};

  /** Whether it is manifests, which {@link #written} reads. */
  default boolean isWritten() {
    return false;
  }

  /** Whether it is an API server, which {@link #list} asks. */
  default boolean isServed() {
    return false;
  }

  /** What {@code reading} makes of each object in manifests, as often as it is asked. */
  default <T> List<T> written(Function<Field, Optional<T>> reading) {
    return List.of();
  }

  /**
   * Hands over the objects of an API server at a path such as {@code /api/v1/pods}; returns why the
   * server refuses, if it does.
   */
  default Optional<String> list(String path, Consumer<Field> objects) {
    return Optional.empty();
  }

  /** Those of a manifest file or folder. */
  static WholeObjects of(Path path) {
    return new WholeObjects() {
      @Override
      public boolean isWritten() {
        return true;
      }

      @Override
      public <T> List<T> written(Function<Field, Optional<T>> reading) {
        return WholeManifests.read(path, reading);
      }
    };
  }

  /** Those of a text; {@code name} names it in messages. */
  static WholeObjects of(String name, String text) {
    return new WholeObjects() {
      @Override
      public boolean isWritten() {
        return true;
      }

      @Override
      public <T> List<T> written(Function<Field, Optional<T>> reading) {
        return WholeManifests.parse(name, text, reading);
      }
    };
  }

  /** Those of an API server, which {@code listing} asks. */
  static WholeObjects of(BiFunction<String, Consumer<Field>, Optional<String>> listing) {
    return new WholeObjects() {
      @Override
      public boolean isServed() {
        return true;
      }

      @Override
      public Optional<String> list(String path, Consumer<Field> objects) {
        return listing.apply(path, objects);
      }
    };
  }
}
