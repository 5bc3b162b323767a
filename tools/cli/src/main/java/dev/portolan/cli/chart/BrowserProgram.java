package dev.portolan.cli.chart;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The browser that a person has chosen on this machine. */
final class BrowserProgram {
  private BrowserProgram() {}

  /** Opens {@code url}; returns why that is not possible, if so. */
  static Optional<String> open(String url) {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    List<String> words =
        system.startsWith("mac")
            ? List.of("open", url)
            : system.startsWith("windows")
                ? List.of("rundll32", "url.dll,FileProtocolHandler", url)
                : List.of("xdg-open", url);
    try {
      Process _ =
          new ProcessBuilder(words)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(words.getFirst() + " cannot be started");
    }
  }
}
