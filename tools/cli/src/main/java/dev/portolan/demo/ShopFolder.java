package dev.portolan.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The web shop's manifests, in a folder of their own that can be edited. */
final class ShopFolder implements AutoCloseable {
  private static final List<String> FILES =
      List.of("cluster.yaml", "services.yaml", "endpointslices.yaml");

  private static final String PREFIX = "portolan-demo-";

  /** The name has the process that made the folder, so that the next one knows whether it lives. */
  private static final Pattern NAME = Pattern.compile(PREFIX + "([0-9]{1,9})-[0-9]+");

  private final Path path;

  ShopFolder() {
    this("", FILES);
  }

  /** The manifests of that name under {@code resources}. */
  ShopFolder(String resources, List<String> files) {
    try {
      removeStale(Path.of(System.getProperty("java.io.tmpdir")));
      path = Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
      for (String file : files) {
        try (InputStream resource = ShopFolder.class.getResourceAsStream(resources + file)) {
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

  /** Deletes the folders that killed demos left in {@code parent}; one that stays does no harm. */
  static void removeStale(Path parent) throws IOException {
    try (Stream<Path> folders = Files.list(parent)) {
      for (Path folder : folders.toList()) {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        if (name.matches()
            && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
            && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.isWritable(folder)) {
          try {
            delete(folder);
          } catch (IOException e) {
            // It is another user's, or has a folder in it.
          }
        }
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /** Deletes the folder. */
  @Override
  public void close() {
    try {
      delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(path + " could not be deleted", e);
    }
  }
}
