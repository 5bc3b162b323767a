package dev.portolan.config.fields;

import dev.portolan.text.syntax.TableFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Every field of both versions, out of {@code fields.table}. */
public final class FieldTable {
  private static final List<FieldRow> ROWS =
      TableFile.lines(FieldTable.class, "fields.table").stream().map(FieldRow::parse).toList();
  private static final Map<String, FieldRow> FIRST = index(ConfigVersion.V1ALPHA1);
  private static final Map<String, FieldRow> SECOND = index(ConfigVersion.V1ALPHA2);

  private FieldTable() {}

  private static Map<String, FieldRow> index(ConfigVersion version) {
    Map<String, FieldRow> rows = new LinkedHashMap<>();
    for (FieldRow row : ROWS) {
      String path = row.path(version);
      if (path != null) {
        rows.putIfAbsent(path, row);
      }
    }
    return Collections.unmodifiableMap(rows);
  }

  private static Map<String, FieldRow> byPath(ConfigVersion version) {
    return version == ConfigVersion.V1ALPHA1 ? FIRST : SECOND;
  }

  /** All rows, in the order of the table. */
  static List<FieldRow> rows() {
    return ROWS;
  }

  /** The paths of all fields of {@code version}, in the order in which a file is written. */
  public static Collection<String> paths(ConfigVersion version) {
    return byPath(version).keySet();
  }

  /** The row of a field. */
  public static FieldRow row(ConfigVersion version, String path) {
    return find(version, path)
        .orElseThrow(() -> new IllegalArgumentException("no field " + path + " in " + version));
  }

  /** The row of a field, where {@code version} has it. */
  public static Optional<FieldRow> find(ConfigVersion version, String path) {
    return Optional.ofNullable(byPath(version).get(path));
  }

  /** Whether {@code path} is a mapping that holds fields. */
  public static boolean isSection(ConfigVersion version, String path) {
    return paths(version).stream().anyMatch(field -> field.startsWith(path + "."));
  }

  /** The names directly below the section {@code path}; the empty path is the file itself. */
  public static Set<String> names(ConfigVersion version, String path) {
    String prefix = path.isEmpty() ? "" : path + ".";
    Set<String> names = new TreeSet<>();
    for (String field : paths(version)) {
      if (field.startsWith(prefix)) {
        names.add(field.substring(prefix.length()).split("\\.", 2)[0]);
      }
    }
    return names;
  }

  /** The rows with {@code path} in {@code version}, the one of the active mode first. */
  static List<FieldRow> active(ConfigVersion version, String path, String mode) {
    String section = ProxyMode.parse(mode).map(ProxyMode::section).orElse(mode);
    List<FieldRow> rows = new ArrayList<>();
    for (FieldRow row : ROWS) {
      if (path.equals(row.path(version))) {
        rows.add(row.isOf(version.other(), section) ? 0 : rows.size(), row);
      }
    }
    return rows;
  }

  /** What the field {@code path} of v1alpha2 is called by a file of {@code version}. */
  public static String pathIn(ConfigVersion version, String path, String mode) {
    if (version == ConfigVersion.V1ALPHA2) {
      return path;
    }
    String own = active(ConfigVersion.V1ALPHA2, path, mode).getFirst().path(version);
    return own == null ? path : own;
  }
}
