package dev.portolan.config.fields;

import dev.portolan.text.syntax.TableFile;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code fields.table}: a field, and how each version has it.
 *
 * @param zeroIsUnset whether v1alpha1 takes the zero for an absent field
 */
public record FieldRow(Form first, Form second, boolean zeroIsUnset, String description) {

  /**
   * A field in one version.
   *
   * @param path null where the version does not have the field
   * @param defaultValue where the version lacks the field, what it behaves like
   */
  public record Form(@Nullable String path, FieldType type, Object defaultValue) {}

  /** Reads a line of the table. */
  static FieldRow parse(String line) {
    List<String> cells = TableFile.cells(line, 7);
    String[] types = cells.get(2).toUpperCase(Locale.ROOT).split(">", -1);
    return new FieldRow(
        form(cells.get(0), types[0], cells.get(3)),
        form(cells.get(1), types[types.length - 1], cells.get(4)),
        cells.get(5).equals("unset"),
        ProxyMode.naming(cells.get(6)));
  }

  private static Form form(String path, String typeName, String defaultValue) {
    FieldType type = FieldType.valueOf(typeName);
    return new Form(path.equals("-") ? null : path, type, type.parse(defaultValue));
  }

  private Form in(ConfigVersion version) {
    return version == ConfigVersion.V1ALPHA1 ? first : second;
  }

  /** The path in {@code version}; null where it has none. */
  public @Nullable String path(ConfigVersion version) {
    return in(version).path();
  }

  /** The type in {@code version}. */
  public FieldType type(ConfigVersion version) {
    return in(version).type();
  }

  /** The default in {@code version}. */
  public Object defaultValue(ConfigVersion version) {
    return in(version).defaultValue();
  }

  /** Whether the row's field in {@code version} stands in the section {@code section}. */
  boolean isOf(ConfigVersion version, String section) {
    String path = path(version);
    return path != null && path.startsWith(section + ".");
  }
}
