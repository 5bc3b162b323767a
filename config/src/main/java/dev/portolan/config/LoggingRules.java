package dev.portolan.config;

import java.util.List;

/** The rules of the section {@code logging}. */
final class LoggingRules {
  private LoggingRules() {}

  /** Checks the section. */
  static void check(Rules rules, Settings settings, FeatureGates gates) {
    String format = settings.text("logging.format");
    if (!format.equals("text") && !format.equals("json")) {
      rules.invalid("logging.format", "", format, "Unsupported log format; write text or json");
    }
    if (!settings.duration("logging.flushFrequency").isPositive()) {
      rules.invalid(
          "logging.flushFrequency",
          "",
          settings.duration("logging.flushFrequency"),
          "Must be greater than zero");
    }
    verbosity(rules, "logging.verbosity", "", settings.number("logging.verbosity"));
    vmodule(rules, settings, format);
    for (String stream : List.of("logging.options.text", "logging.options.json")) {
      boolean set =
          settings.truth(stream + ".splitStream")
              || !settings.text(stream + ".infoBufferSize").equals("0");
      if (set && !gates.isOn("LoggingAlphaOptions")) {
        String path = stream + ".splitStream";
        rules.error(
            settings.truth(path) ? path : stream + ".infoBufferSize",
            "",
            "Forbidden: Feature LoggingAlphaOptions is disabled");
      }
    }
  }

  private static void vmodule(Rules rules, Settings settings, String format) {
    List<?> items = (List<?>) settings.value("logging.vmodule");
    if (!items.isEmpty() && !format.equals("text")) {
      rules.error("logging.vmodule", "", "Forbidden: Only supported for text log format");
    }
    for (int i = 0; i < items.size(); i++) {
      VmoduleItem item = (VmoduleItem) items.get(i);
      if (item.filePattern().isEmpty()) {
        rules.error(
            "logging.vmodule", "[" + i + "]", "Required value: File pattern must not be empty");
      } else if (item.filePattern().chars().anyMatch(c -> c == '=' || c == ',')) {
        rules.invalid(
            "logging.vmodule",
            "[" + i + "]",
            item.filePattern(),
            "File pattern must not contain equal sign or comma");
      }
      verbosity(rules, "logging.vmodule", "[" + i + "]", item.verbosity());
    }
  }

  private static void verbosity(Rules rules, String path, String step, long verbosity) {
    if (verbosity > Integer.MAX_VALUE) {
      rules.invalid(path, step, verbosity, "Must be <= " + Integer.MAX_VALUE);
    }
  }
}
