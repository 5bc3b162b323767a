package dev.portolan.config.fields;

import dev.portolan.config.finding.ConfigException;
import dev.portolan.text.Spelling;
import dev.portolan.text.syntax.DoubleQuotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Says what a field is: its type, what it does, its name and default in each version. */
public final class FieldExplanation {
  private FieldExplanation() {}

  /** The text for a field or a section of any version; throws with the nearest name otherwise. */
  public static String explain(String path) {
    List<FieldRow> rows = rows(path);
    if (rows.isEmpty()) {
      throw ConfigException.of("", unknown(path));
    }
    StringBuilder text = new StringBuilder();
    if (rows.stream().noneMatch(row -> isNamed(row, path))) {
      text.append(path).append(": a section with the fields\n");
      rows.stream()
          .map(row -> name(row, path))
          .distinct()
          .forEach(name -> text.append("  ").append(name).append('\n'));
      return text.toString();
    }
    for (FieldRow row : rows) {
      text.append(text.isEmpty() ? "" : "\n").append(describe(row));
    }
    return text.toString();
  }

  private static String describe(FieldRow row) {
    StringBuilder text = new StringBuilder(row.description()).append('\n');
    for (ConfigVersion version : ConfigVersion.values()) {
      String path = row.path(version);
      text.append("  ").append(version).append(": ");
      if (path == null) {
        text.append("not in this version; behaves like ");
      } else {
        text.append(path).append(", ").append(row.type(version).label()).append(", default ");
      }
      text.append(FieldType.write(row.defaultValue(version))).append('\n');
    }
    return text.toString();
  }

  private static List<FieldRow> rows(String path) {
    List<FieldRow> rows = new ArrayList<>();
    for (FieldRow row : FieldTable.rows()) {
      if (isNamed(row, path)) {
        rows.add(row);
      }
    }
    if (rows.isEmpty()) {
      FieldTable.rows().stream().filter(row -> isIn(row, path)).forEach(rows::add);
    }
    return rows;
  }

  private static boolean isNamed(FieldRow row, String path) {
    return path.equals(row.path(ConfigVersion.V1ALPHA1))
        || path.equals(row.path(ConfigVersion.V1ALPHA2));
  }

  private static boolean isIn(FieldRow row, String path) {
    return row.isOf(ConfigVersion.V1ALPHA1, path) || row.isOf(ConfigVersion.V1ALPHA2, path);
  }

  private static String name(FieldRow row, String section) {
    ConfigVersion version =
        row.isOf(ConfigVersion.V1ALPHA2, section) ? ConfigVersion.V1ALPHA2 : ConfigVersion.V1ALPHA1;
    return row.path(version) + (version == ConfigVersion.V1ALPHA1 ? " (v1alpha1)" : "");
  }

  private static String unknown(String path) {
    Set<String> known = new TreeSet<>();
    for (ConfigVersion version : ConfigVersion.values()) {
      known.addAll(FieldTable.paths(version));
    }
    Optional<String> near = Spelling.nearest(path, known);
    return "unknown field "
        + DoubleQuotes.quote(path)
        + near.map(name -> "; did you mean " + name + "?")
            .orElse("; 'portolan config defaults' lists all fields");
  }
}
