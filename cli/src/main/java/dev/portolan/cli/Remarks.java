package dev.portolan.cli;

import dev.portolan.core.cluster.Warning;
import java.util.Optional;

/** Prints warnings. */
final class Remarks {
  private final Terminal terminal;

  Remarks(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Says a line. */
  void say(String line) {
    terminal.remark(Text.printable(line));
  }

  /** Passes a warning on. */
  void warn(String text) {
    terminal.remark("warning: " + Text.printable(text));
  }

  /** Passes a warning about an object on, with the place where the object was written. */
  void warn(Warning warning, Optional<String> place) {
    warn(place.map(where -> where + ": ").orElse("") + warning);
  }
}
