package dev.portolan.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The last line of a terminal, which says what is going on and is gone before anything else is
 * printed. Nothing of it goes into a file or a pipe.
 */
final class StatusLine {
  private static final String START_AND_ERASE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean visible;
  private final IntSupplier width;

  /** Those that have something to show; the last one does. */
  private final List<Object> owners = new ArrayList<>();

  private boolean shown;

  StatusLine(PrintWriter err, boolean visible, IntSupplier width) {
    this.err = err;
    this.visible = visible;
    this.width = width;
  }

  /** Whether the remarks of this process go to a terminal that can erase a line. */
  static boolean isPossible() {
    String term = System.getenv("TERM");
    if (term == null || term.isEmpty() || term.equals("dumb")) {
      return false;
    }
    try {
      String where = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return where.startsWith("/dev/pts/")
          || where.startsWith("/dev/tty")
          || where.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Whether there is such a line. */
  boolean isVisible() {
    return visible;
  }

  /** From now on {@code owner} shows what it does, and others wait until it leaves. */
  synchronized void enter(Object owner) {
    owners.add(owner);
  }

  /** Removes what {@code owner} shows. */
  synchronized void leave(Object owner) {
    owners.remove(owner);
    clear();
  }

  /** Shows {@code text} in place of what is shown. */
  synchronized void show(Object owner, String text) {
    if (visible && !owners.isEmpty() && owners.getLast().equals(owner)) {
      // A line as wide as the terminal would continue in the next one, which cannot be erased.
      err.print(START_AND_ERASE + Text.cutEnd(Text.printable(text), width.getAsInt() - 1));
      err.flush();
      shown = true;
    }
  }

  /** Removes what is shown. */
  synchronized void clear() {
    if (shown) {
      err.print(START_AND_ERASE);
      err.flush();
      shown = false;
    }
  }
}
