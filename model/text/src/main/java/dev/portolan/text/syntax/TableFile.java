package dev.portolan.text.syntax;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Tables of cells between bars, kept beside the classes. */
public final class TableFile {
  private TableFile() {}

  /**
   * The lines of the resource {@code name} beside {@code owner} that are neither empty nor
   * comments.
   */
  public static List<String> lines(Class<?> owner, String name) {
    try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cells of a line. */
  public static List<String> cells(String line, int count) {
    List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
    if (cells.size() != count) {
      throw new IllegalStateException("not " + count + " cells: " + line);
    }
    return cells;
  }
}
