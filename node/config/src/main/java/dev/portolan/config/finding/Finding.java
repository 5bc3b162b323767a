package dev.portolan.config.finding;

import dev.portolan.text.FilePosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something to say about a configuration.
 *
 * @param severity how bad it is
 * @param file the name of the file; empty where there is none
 * @param place where in the file; null where it is not in the text
 * @param path the field as its version calls it; empty for the whole file
 * @param text what is wrong and what to do, without a full stop
 */
public record Finding(
    FindingSeverity severity, String file, @Nullable FilePosition place, String path, String text) {

  /** A finding about a field, wherever it was written. */
  public static Finding of(FindingSeverity severity, String path, String text) {
    return new Finding(severity, "", null, path, text);
  }

  /** The findings that make a configuration unusable. */
  public static List<Finding> errors(List<Finding> findings) {
    return findings.stream().filter(one -> one.severity == FindingSeverity.ERROR).toList();
  }

  /** The same finding in a file. */
  public Finding in(String file, @Nullable FilePosition place) {
    return new Finding(severity, file, place, path, text);
  }

  /** {@code FILE:LINE:COLUMN: PATH: TEXT}, with what is known of it. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(file);
    if (place != null) {
      line.append(file.isEmpty() ? "" : ":").append(place);
    }
    line.append(line.isEmpty() ? "" : ": ");
    return line.append(path).append(path.isEmpty() ? "" : ": ").append(text).toString();
  }
}
