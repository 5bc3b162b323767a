package dev.portolan.config.file;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Defaults;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.config.fields.FieldType;
import dev.portolan.config.fields.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes settings as a file, with a comment at each field that is not at its default. */
public final class SettingsWriter {
  private final Settings settings;
  private final boolean everything;
  private final StringBuilder out = new StringBuilder();

  private SettingsWriter(Settings settings, boolean everything) {
    this.settings = Defaults.apply(settings);
    this.everything = everything;
  }

  /** A file with every field. */
  public static String everything(Settings settings) {
    return new SettingsWriter(settings, true).write();
  }

  /** A file with the fields that are not at the defaults of their version. */
  public static String nonDefaults(Settings settings) {
    return new SettingsWriter(settings, false).write();
  }

  private String write() {
    ConfigVersion version = settings.version();
    out.append("apiVersion: ").append(version.apiVersion()).append('\n');
    out.append("kind: ").append(ConfigVersion.KIND).append('\n');
    List<String> paths = new ArrayList<>(FieldTable.paths(version));
    paths.removeIf(path -> !everything && isDefault(path));
    section(paths, "", "");
    return out.toString();
  }

  private boolean isDefault(String path) {
    Settings defaults = Defaults.apply(Settings.empty(settings.version()));
    return settings.value(path).equals(defaults.value(path))
        && Defaults.apply(settings.without(path)).equals(settings);
  }

  /** Writes the fields below {@code prefix}; those of one section stay together. */
  private void section(Collection<String> paths, String prefix, String indent) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (String path : paths) {
      String name = path.substring(prefix.length()).split("\\.", 2)[0];
      names.computeIfAbsent(name, key -> new ArrayList<>()).add(path);
    }
    names.forEach((name, below) -> {
      String path = prefix + name;
      if (below.contains(path)) {
        field(path, name, indent);
      } else {
        out.append(indent).append(name).append(":\n");
        section(below, path + ".", indent + "  ");
      }
    });
  }

  private void field(String path, String name, String indent) {
    ConfigVersion version = settings.version();
    Object value = settings.value(path);
    Object byDefault = Defaults.apply(Settings.empty(version)).value(path);
    if (!value.equals(byDefault)) {
      out.append(indent)
          .append(value.equals(false) ? "# Off: " : "# ")
          .append(FieldTable.row(version, path).description())
          .append(" Default: ")
          .append(FieldType.write(byDefault))
          .append('\n');
    }
    out.append(indent).append(name).append(':');
    if (value instanceof List<?> list && !list.isEmpty()) {
      out.append('\n');
      list.forEach(item ->
          out.append(indent)
              .append("- ")
              .append(FieldType.write(Objects.requireNonNull(item)))
              .append('\n'));
    } else if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      out.append('\n');
      map.forEach((key, item) ->
          out.append(indent)
              .append("  ")
              .append(FieldType.write(Objects.requireNonNull(key)))
              .append(": ")
              .append(item)
              .append('\n'));
    } else {
      out.append(' ').append(FieldType.write(value)).append('\n');
    }
  }
}
