package dev.portolan.config.file;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.Conversion;
import dev.portolan.config.fields.Defaults;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.fields.VmoduleItem;
import dev.portolan.core.text.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings as a tree of maps, lists and plain values, in the shape that JSON has. */
public final class SettingsTree {
  private SettingsTree() {}

  /** Every field, in the shape of {@code version}. */
  public static Map<String, Object> of(Settings settings, ConfigVersion version) {
    Settings all = Defaults.apply(Conversion.convert(settings, version).settings());
    Map<String, Object> root = new TreeMap<>();
    root.put("apiVersion", version.apiVersion());
    root.put("kind", ConfigVersion.KIND);
    for (String path : FieldTable.paths(version)) {
      put(root, path, plain(all.value(path)));
    }
    return root;
  }

  private static void put(Map<String, Object> section, String path, Object value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      section.put(path, value);
      return;
    }
    @SuppressWarnings("unchecked") // a name is that of a section or of a field, never of both
    Map<String, Object> below =
        (Map<String, Object>)
            section.computeIfAbsent(path.substring(0, dot), name -> new TreeMap<String, Object>());
    put(below, path.substring(dot + 1), value);
  }

  private static Object plain(Object value) {
    return switch (value) {
      case Duration duration -> GoDuration.format(duration);
      case VmoduleItem item ->
          Map.of("filePattern", item.filePattern(), "verbosity", item.verbosity());
      case List<?> list -> {
        List<Object> plain = new ArrayList<>();
        for (Object item : list) {
          plain.add(plain(item));
        }
        yield plain;
      }
      case Map<?, ?> map -> new LinkedHashMap<>(map);
      default -> value;
    };
  }
}
