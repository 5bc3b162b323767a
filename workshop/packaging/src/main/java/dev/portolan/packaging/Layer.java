package dev.portolan.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One layer of an image, or any other tar file: paths, sorted, and what is there. */
final class Layer {
  private static final int PROGRAM = 0755;
  private static final int DATA = 0644;

  private final String name;
  private final Map<String, Content> contents = new TreeMap<>();

  Layer(String name) {
    this.name = name;
  }

  /** What is at a path. */
  private sealed interface Content {
    /** A folder. */
    record Folder(int mode) implements Content {}

    /** A file with this text. */
    record Text(String text, int mode) implements Content {}

    /** A file like one of this machine. */
    record Copy(Path file) implements Content {}

    /** A symbolic link. */
    record Link(String target) implements Content {}
  }

  String name() {
    return name;
  }

  /** Whether it has this path. */
  boolean has(String path) {
    return contents.containsKey(path);
  }

  /** Adds an empty folder. */
  Layer folder(String path, int mode) {
    put(path, new Content.Folder(mode));
    return this;
  }

  /** Adds a file with this text. */
  Layer text(String path, String text) {
    put(path, new Content.Text(text, DATA));
    return this;
  }

  /** Adds a file with this text that can be started. */
  Layer script(String path, String text) {
    put(path, new Content.Text(text, PROGRAM));
    return this;
  }

  /** Adds a file as this machine has it; a link is followed. */
  Layer file(String path, Path file) {
    put(path, new Content.Copy(file));
    return this;
  }

  /** Adds a symbolic link. */
  Layer link(String path, String target) {
    put(path, new Content.Link(target));
    return this;
  }

  /** Adds a folder of this machine with all that is in it; links stay links. */
  Layer tree(String path, Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        String inside = path + "/" + folder.relativize(file);
        if (Files.isSymbolicLink(file)) {
          link(inside, Files.readSymbolicLink(file).toString());
        } else if (Files.isRegularFile(file)) {
          file(inside, file);
        }
      }
    }
    return this;
  }

  private void put(String path, Content content) {
    contents.put(path, content);
    for (int at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      contents.putIfAbsent(path.substring(0, at), new Content.Folder(PROGRAM));
    }
  }

  /** Writes it as a tar file, with one time for everything. */
  void write(Path to, Instant time) throws IOException {
    try (TarWriter tar = new TarWriter(new BufferedOutputStream(Files.newOutputStream(to)), time)) {
      for (Map.Entry<String, Content> entry : contents.entrySet()) {
        String path = entry.getKey();
        switch (entry.getValue()) {
          case Content.Folder(int mode) -> tar.directory(path, mode);
          case Content.Text(String text, int mode) -> tar.file(path, mode, text.getBytes(UTF_8));
          case Content.Copy(Path file) ->
              tar.file(path, Files.isExecutable(file) ? PROGRAM : DATA, file);
          case Content.Link(String target) -> tar.link(path, target);
        }
      }
    }
  }
}
