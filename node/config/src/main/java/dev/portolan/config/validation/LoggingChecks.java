package dev.portolan.config.validation;

import dev.portolan.config.fields.Settings;
import dev.portolan.config.fields.VmoduleItem;
import dev.portolan.config.gates.FeatureGates;
import java.util.List;

/** The errors of the section {@code logging}. */
final class LoggingChecks {
  private LoggingChecks() {}

  /** Checks the section. */
  static void check(FieldChecks checks, Settings settings, FeatureGates gates) {
    String format = settings.text("logging.format");
    if (!format.equals("text") && !format.equals("json")) {
      checks.invalid("logging.format", "Unsupported log format; write text or json");
    }
    if (!settings.duration("logging.flushFrequency").isPositive()) {
      checks.invalid("logging.flushFrequency", "Must be greater than zero");
    }
    verbosity(checks, "logging.verbosity", "", settings.number("logging.verbosity"));
    vmodule(checks, settings, format);
    for (String stream : List.of("logging.options.text", "logging.options.json")) {
      boolean set =
          settings.truth(stream + ".splitStream")
              || !settings.text(stream + ".infoBufferSize").equals("0");
      if (set && !gates.isOn("LoggingAlphaOptions")) {
        String path = stream + ".splitStream";
        checks.error(
            settings.truth(path) ? path : stream + ".infoBufferSize",
            "",
            "Forbidden: Feature LoggingAlphaOptions is disabled");
      }
    }
  }

  private static void vmodule(FieldChecks checks, Settings settings, String format) {
    List<?> items = (List<?>) settings.value("logging.vmodule");
    if (!items.isEmpty() && !format.equals("text")) {
      checks.error("logging.vmodule", "", "Forbidden: Only supported for text log format");
    }
    for (int i = 0; i < items.size(); i++) {
      VmoduleItem item = (VmoduleItem) items.get(i);
      if (item.filePattern().isEmpty()) {
        checks.error(
            "logging.vmodule", "[" + i + "]", "Required value: File pattern must not be empty");
      } else if (item.filePattern().chars().anyMatch(c -> c == '=' || c == ',')) {
        checks.invalid(
            "logging.vmodule",
            "[" + i + "]",
            item.filePattern(),
            "File pattern must not contain equal sign or comma");
      }
      verbosity(checks, "logging.vmodule", "[" + i + "]", item.verbosity());
    }
  }

  private static void verbosity(FieldChecks checks, String path, String step, long verbosity) {
    if (verbosity > Integer.MAX_VALUE) {
      checks.invalid(path, step, verbosity, "Must be <= " + Integer.MAX_VALUE);
    }
  }
}
