package dev.portolan.config.validation;

import dev.portolan.config.fields.ConfigVersion;
import dev.portolan.config.fields.FieldTable;
import dev.portolan.config.fields.FieldType;
import dev.portolan.config.fields.Settings;
import dev.portolan.config.finding.Finding;
import dev.portolan.config.finding.FindingSeverity;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.text.GoDuration;
import dev.portolan.text.syntax.DoubleQuotes;
import dev.portolan.text.syntax.HostPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of rules for a single field, such as a range, and the errors found with them; a field
 * has the name that the user knows.
 */
final class FieldChecks {
  private final Settings settings;
  private final ConfigVersion version;
  private final List<Finding> findings = new ArrayList<>();

  FieldChecks(Settings settings, ConfigVersion version) {
    this.settings = settings;
    this.version = version;
  }

  /** What was found; v1alpha1 may have one name for two fields, which is reported once. */
  List<Finding> findings() {
    return findings.stream().distinct().toList();
  }

  /** The name of a field in the user's version. */
  String path(String path) {
    return FieldTable.pathIn(version, path, settings.text("mode"));
  }

  /** A field, or an item of it, breaks a rule. */
  void error(String path, String step, String text) {
    boolean isText = FieldTable.row(ConfigVersion.latest(), path).type(version) == FieldType.TEXT;
    String item = version == ConfigVersion.V1ALPHA1 && isText ? "" : step;
    findings.add(Finding.of(FindingSeverity.ERROR, path(path) + item, text));
  }

  /** A value, or an item of it, breaks a rule. */
  void invalid(String path, String step, @Nullable Object value, String rule) {
    error(path, step, "Invalid value: " + show(value) + ": " + rule);
  }

  /** The value of a field breaks a rule. */
  void invalid(String path, String rule) {
    invalid(path, "", settings.value(path), rule);
  }

  /** Every item of a list is a CIDR. */
  void cidrs(String path, String rule) {
    each(
        path,
        (step, item) -> {
          if (Cidr.parse(item).isEmpty()) {
            invalid(path, step, item, rule);
          }
        });
  }

  /** Calls {@code check} with each item of a list, and how to name it. */
  void each(String path, BiConsumer<String, String> check) {
    List<String> items = settings.texts(path);
    for (int i = 0; i < items.size(); i++) {
      check.accept("[" + i + "]", items.get(i));
    }
  }

  private static String show(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> DoubleQuotes.quote(text);
      case Duration duration -> DoubleQuotes.quote(GoDuration.format(duration));
      case List<?> list ->
          list.stream().map(FieldChecks::show).collect(Collectors.joining(", ", "[", "]"));
      default -> value.toString();
    };
  }

  /** How an address of the node must look. */
  String addressRule() {
    return version == ConfigVersion.V1ALPHA1
        ? "not a valid textual representation of an IP address"
        : "must be a valid IP of this node (e.g. 10.100.0.0 or fde4:8dba:82e1::)";
  }

  /** The number is in a range. */
  void range(String path, int least, int most) {
    long number = settings.number(path);
    if (number < least || number > most) {
      invalid(path, "must be within the range [" + least + ", " + most + "]");
    }
  }

  /** The number or duration is zero or more. */
  void notNegative(String path) {
    Object value = settings.value(path);
    boolean negative =
        value instanceof Duration duration
            ? duration.isNegative()
            : ((Number) value).longValue() < 0;
    if (negative) {
      invalid(path, "must be greater than or equal to 0");
    }
  }

  /** The duration is more than zero. */
  void positive(String path) {
    if (!settings.duration(path).isPositive()) {
      invalid(path, "must be greater than 0");
    }
  }

  /** The text is not empty. */
  void notEmpty(String path) {
    if (settings.text(path).isEmpty()) {
      invalid(path, "must not be empty");
    }
  }

  /** The text is one of a few. */
  void oneOf(String path, List<String> words) {
    String text = settings.text(path);
    if (!words.contains(text)) {
      String known = words.stream().map(DoubleQuotes::quote).collect(Collectors.joining(", "));
      error(
          path,
          "",
          "Unsupported value: " + DoubleQuotes.quote(text) + ": supported values: " + known);
    }
  }

  /** The text is an address with a port. */
  void hostPort(String path) {
    String text = settings.text(path);
    HostPort parts = HostPort.split(text).orElse(null);
    if (parts == null) {
      invalid(path, "must be IP:port");
      return;
    }
    if (Ip.parse(parts.host()).isEmpty()) {
      invalid(path, "", parts.host(), "must be a valid IP");
    }
    if (!isPort(parts.port())) {
      invalid(path, "", parts.port(), "must be a valid port");
    }
  }

  private static boolean isPort(String text) {
    if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return false;
    }
    int port = Integer.parseInt(text);
    return port >= 1 && port <= 65535;
  }
}
