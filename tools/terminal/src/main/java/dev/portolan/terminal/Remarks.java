package dev.portolan.terminal;

import dev.portolan.core.cluster.Warning;
import java.util.Optional;
import java.util.function.Consumer;

/** Says what happens, and what is wrong. */
public final class Remarks {
  private final Terminal terminal;
  private final int level;
  private final Consumer<String> lines;
  private final Consumer<String> warnings;

  /** Prints to {@code terminal}. */
  public Remarks(Terminal terminal) {
    this(terminal, 0);
  }

  /** The same with details up to {@code level}. */
  public Remarks(Terminal terminal, int level) {
    this(
        terminal,
        level,
        line -> terminal.remark(Text.printable(line)),
        warning -> terminal.remark("warning: " + Text.printable(warning)));
  }

  /** Passes lines and warnings on as they are; {@code terminal} shows what is going on. */
  public Remarks(Terminal terminal, int level, Consumer<String> lines, Consumer<String> warnings) {
    this.terminal = terminal;
    this.level = level;
    this.lines = lines;
    this.warnings = warnings;
  }

  /** Whether details of this level are wanted. */
  public boolean isVerbose(int detail) {
    return detail <= level;
  }

  /** Says a line. */
  public void say(String line) {
    lines.accept(line);
  }

  /** The line that says what is going on. */
  StatusLine status() {
    return terminal.status();
  }

  /** Passes a warning on. */
  public void warn(String text) {
    warnings.accept(text);
  }

  /** Passes a warning about an object on, with the place where the object was written. */
  public void warn(Warning warning, Optional<String> place) {
    warn(place.map(where -> where + ": ").orElse("") + warning);
  }
}
