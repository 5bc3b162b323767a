package dev.portolan.config.fields;

import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.core.net.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Conversion between the versions.
 *
 * <p>The source's defaults are made explicit first, so that the result behaves as the source did.
 * What is lost is found by converting back: a field that does not come back as it was gets a
 * warning.
 */
public final class Conversion {
  private static final String MASQUERADE_ALL = "linux.masqueradeAll";

  private Conversion() {}

  /**
   * What came out.
   *
   * @param settings every field of the target version
   * @param warnings the fields of the source that could not be carried over
   */
  public record Result(Settings settings, List<Finding> warnings) {
    public Result {
      warnings = List.copyOf(warnings);
    }
  }

  /** {@code source} in the shape of {@code target}. */
  public static Result convert(Settings source, ConfigVersion target) {
    Settings full = Defaults.apply(source);
    if (target == source.version()) {
      return new Result(full, List.of());
    }
    Settings there = Defaults.apply(carry(full, target));
    Settings back = Defaults.apply(carry(there, source.version()));
    List<Finding> warnings = new ArrayList<>();
    for (String path : FieldTable.paths(source.version())) {
      Object before = full.value(path);
      Object after = back.value(path);
      if (!same(path, before, after) && isWorthSaying(source.version(), path, before)) {
        warnings.add(
            Finding.of(FindingSeverity.WARNING, path, loss(full, target, path, before, after)));
      }
    }
    return new Result(there, warnings);
  }

  private static Settings carry(Settings full, ConfigVersion target) {
    ConfigVersion source = full.version();
    String mode = full.text("mode");
    TreeMap<String, Object> values = new TreeMap<>();
    for (String path : FieldTable.paths(target)) {
      List<FieldRow> rows = FieldTable.active(target, path, mode);
      FieldRow row = rows.getFirst();
      String from = row.path(source);
      if (from == null) {
        values.put(path, row.defaultValue(source));
      } else if (isRead(row, source, target, mode)) {
        values.put(path, translate(row, source, full.value(from), full));
      }
    }
    return Settings.of(target, values);
  }

  /** Whether the target's field is the one that takes the value, where several could. */
  private static boolean isRead(
      FieldRow row, ConfigVersion source, ConfigVersion target, String mode) {
    String from = row.path(source);
    if (from == null || from.equals(MASQUERADE_ALL) || target == ConfigVersion.V1ALPHA2) {
      return true;
    }
    return Objects.equals(
        FieldTable.active(source, from, mode).getFirst().path(target), row.path(target));
  }

  private static Object translate(FieldRow row, ConfigVersion source, Object value, Settings full) {
    if (row.type(ConfigVersion.V1ALPHA1) == row.type(ConfigVersion.V1ALPHA2)) {
      return value;
    }
    boolean isCidr = "clusterCIDR".equals(row.path(ConfigVersion.V1ALPHA1));
    if (source == ConfigVersion.V1ALPHA1) {
      String text = (String) value;
      return isCidr ? split(text) : isUnspecified(text) ? List.of() : List.of(text);
    }
    List<String> texts = ((List<?>) value).stream().map(String.class::cast).toList();
    if (isCidr) {
      return String.join(",", texts);
    }
    return texts.isEmpty() ? anyAddress(full) : texts.getFirst();
  }

  /** The unspecified address whose family the servers listen in. */
  private static String anyAddress(Settings full) {
    boolean v6 =
        Stream.of("healthzBindAddress", "metricsBindAddress")
            .allMatch(path -> full.text(path).startsWith("["));
    return v6 ? "::" : "0.0.0.0";
  }

  private static List<String> split(String cidrs) {
    return cidrs.isEmpty()
        ? List.of()
        : Stream.of(cidrs.split(",", -1)).map(String::strip).toList();
  }

  private static boolean isUnspecified(String address) {
    return address.isEmpty() || Ip.parse(address).filter(Ip::isUnspecified).isPresent();
  }

  /** Whether two values of a field mean the same. */
  private static boolean same(String path, Object before, Object after) {
    if (before.equals(after)) {
      return true;
    }
    return switch (path) {
      case "bindAddress" -> isUnspecified((String) before) && isUnspecified((String) after);
      case "clusterCIDR" -> split((String) before).equals(split((String) after));
      default -> false;
    };
  }

  /** In v1alpha1 the sections of other modes have defaults too, which are not in the file. */
  private static boolean isWorthSaying(ConfigVersion source, String path, Object value) {
    return source == ConfigVersion.V1ALPHA2
        || !value.equals(FieldTable.row(source, path).defaultValue(source));
  }

  private static String loss(
      Settings full, ConfigVersion target, String path, Object before, Object after) {
    ConfigVersion source = full.version();
    String value = FieldType.write(before);
    String other = FieldTable.row(source, path).path(target);
    if (other == null) {
      return value
          + " is lost: "
          + target
          + " does not have this field"
          + (source == ConfigVersion.V1ALPHA2 ? " and behaves like " + FieldType.write(after) : "");
    }
    String mode = full.text("mode");
    if (source == ConfigVersion.V1ALPHA1) {
      return value
          + " is ignored: mode is "
          + (mode.isEmpty() ? "not set" : mode)
          + ", so "
          + other
          + " of "
          + target
          + " comes from "
          + FieldTable.pathIn(source, other, mode);
    }
    return value
        + " is lost: "
        + FieldTable.pathIn(target, path, mode)
        + " of "
        + target
        + " can only say "
        + FieldType.write(after);
  }
}
