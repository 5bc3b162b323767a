package dev.portolan.terminal;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What is at the other end of the output: a screen with a width, or a pipe or file without one.
 *
 * @param isTerminal whether a person looks at it
 * @param colours whether colours are understood
 * @param ascii whether only ASCII is
 * @param size asks the terminal for its columns, which takes a moment
 */
record Screen(boolean isTerminal, boolean colours, boolean ascii, Supplier<OptionalInt> size) {
  private static final int USUAL_WIDTH = 80;
  private static final int LEAST_WIDTH = 60;
  private static final int PATIENCE_SECONDS = 2;

  /** A pipe or a file. */
  static final Screen PIPE = new Screen(false, false, false, OptionalInt::empty);

  /** A terminal of that many columns. */
  static Screen of(int columns, boolean colours) {
    return new Screen(true, colours, false, () -> OptionalInt.of(columns));
  }

  /** What this process writes to. */
  static Screen ofProcess() {
    Optional<File> device = terminal();
    boolean isTerminal =
        device.isPresent()
            || Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    return of(
        isTerminal,
        System.getenv(),
        System.getProperty("portolan.letters", System.getProperty("native.encoding", "")),
        () -> stty(device.orElse(new File("/dev/tty"))));
  }

  /**
   * What the environment says of the output.
   *
   * @param encoding the name of the locale's charset; the launcher says it where Java gets another
   * @param asked asks the terminal for its columns
   */
  static Screen of(
      boolean isTerminal,
      Map<String, String> environment,
      String encoding,
      Supplier<OptionalInt> asked) {
    OptionalInt said = positive(environment.getOrDefault("COLUMNS", ""));
    boolean colours =
        isTerminal
            && environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "").equals("dumb");
    boolean ascii = !encoding.toUpperCase(Locale.ROOT).startsWith("UTF");
    return new Screen(isTerminal, colours, ascii, said.isPresent() ? () -> said : asked);
  }

  /** The columns of the terminal; of a pipe the usual ones, for sentences. */
  int width() {
    return isTerminal ? Math.max(LEAST_WIDTH, size.get().orElse(USUAL_WIDTH)) : USUAL_WIDTH;
  }

  /** Whether a terminal understands how to go back to an earlier line. */
  boolean goesBack() {
    return !"dumb".equals(System.getenv("TERM"));
  }

  /** The terminal behind standard output, even where standard input is none. */
  private static Optional<File> terminal() {
    try {
      Path device = Files.readSymbolicLink(Path.of("/proc/self/fd/1"));
      return device.startsWith("/dev/pts") || device.toString().startsWith("/dev/tty")
          ? Optional.of(device.toFile())
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Java cannot ask a terminal for its size; the program that every system has can. */
  private static OptionalInt stty(File device) {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(device)
              .redirectError(Redirect.DISCARD)
              .start();
      if (!stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        stty.destroyForcibly();
        return OptionalInt.empty();
      }
      String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return positive(size.substring(size.indexOf(' ') + 1));
    } catch (IOException e) {
      return OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  private static OptionalInt positive(String number) {
    try {
      int columns = Integer.parseInt(number.strip());
      return columns > 0 ? OptionalInt.of(columns) : OptionalInt.empty();
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }
}
