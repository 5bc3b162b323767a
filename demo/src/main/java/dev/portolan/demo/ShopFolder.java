package dev.portolan.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The web shop's manifests, in a folder of their own that can be edited. */
final class ShopFolder implements AutoCloseable {
  private static final List<String> FILES =
      List.of("cluster.yaml", "services.yaml", "endpointslices.yaml");

  private final Path path;

  ShopFolder() {
    try {
      path = Files.createTempDirectory("portolan-demo-");
      for (String file : FILES) {
        try (InputStream resource = ShopFolder.class.getResourceAsStream(file)) {
          if (resource == null) {
            throw new IllegalStateException("the jar has no " + file);
          }
          Files.copy(resource, path.resolve(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the manifests could not be written", e);
    }
  }

  /** The folder. */
  Path path() {
    return path;
  }

  /** Edits a file as a person would: one piece of text for another, at once. */
  void edit(String file, String old, String now) {
    try {
      Path target = path.resolve(file);
      String text = Files.readString(target);
      if (!text.contains(old)) {
        throw new IllegalStateException(file + " has no '" + old + "'");
      }
      // Under a name that is not a manifest's, so that a half-written file is never read.
      Path draft = path.resolve(file + ".draft");
      Files.writeString(draft, text.replace(old, now));
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " could not be edited", e);
    }
  }

  /** Deletes the folder. */
  @Override
  public void close() {
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(path + " could not be deleted", e);
    }
  }
}
