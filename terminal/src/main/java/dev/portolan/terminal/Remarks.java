package dev.portolan.terminal;

import dev.portolan.core.cluster.Warning;
import java.util.Optional;

/** Prints warnings. */
public final class Remarks {
  private final Terminal terminal;

  /** Prints them to {@code terminal}. */
  public Remarks(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Says a line. */
  public void say(String line) {
    terminal.remark(Text.printable(line));
  }

  /** The line that says what is going on. */
  StatusLine status() {
    return terminal.status();
  }

  /** Passes a warning on. */
  public void warn(String text) {
    terminal.remark("warning: " + Text.printable(text));
  }

  /** Passes a warning about an object on, with the place where the object was written. */
  public void warn(Warning warning, Optional<String> place) {
    warn(place.map(where -> where + ": ").orElse("") + warning);
  }
}
