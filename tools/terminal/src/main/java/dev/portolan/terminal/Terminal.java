package dev.portolan.terminal;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes: results to one side, remarks to the other, in UTF-8 whatever the locale;
 * our own signs become ASCII where the locale has no others.
 */
public final class Terminal {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Screen screen;
  private final @Nullable WatchedStream stream;
  private boolean colours;
  private int width;
  private final StatusLine status;

  private Terminal(
      PrintWriter out, PrintWriter err, Screen screen, @Nullable WatchedStream stream) {
    this.out = out;
    this.err = err;
    this.screen = screen;
    this.stream = stream;
    this.colours = screen.colours();
    this.status = new StatusLine(err, stream != null && StatusLine.isPossible(), this::width);
  }

  /** The terminal, file or pipe that the process writes to. */
  public static Terminal ofProcess() {
    WatchedStream stream = new WatchedStream(new FileOutputStream(FileDescriptor.out));
    Screen screen = Screen.ofProcess();
    return new Terminal(
        writer(stream, screen, false),
        writer(new FileOutputStream(FileDescriptor.err), screen, true),
        screen,
        stream);
  }

  /** Two writers without a width and without colours, as a pipe is. */
  public static Terminal plain(PrintWriter out, PrintWriter err) {
    return new Terminal(out, err, Screen.PIPE, null);
  }

  /** A terminal of that many columns without colours. */
  public static Terminal screen(PrintWriter out, PrintWriter err, int columns) {
    return new Terminal(out, err, Screen.of(columns, false), null);
  }

  /** A terminal of 80 columns with colours. */
  public static Terminal coloured(PrintWriter out, PrintWriter err) {
    return new Terminal(out, err, Screen.of(80, true), null);
  }

  /** Uses colours as a person wishes. */
  public void colour(ColourMode mode) {
    colours =
        switch (mode) {
          case AUTO -> screen.colours();
          case ALWAYS -> true;
          case NEVER -> false;
        };
  }

  /** For results. */
  public PrintWriter out() {
    return out;
  }

  /** For remarks. */
  public PrintWriter err() {
    return err;
  }

  /** How many columns a line of prose should have at most. */
  public int width() {
    if (width == 0) {
      width = screen.width();
    }
    return width;
  }

  /** How many columns a table may have; a pipe has no limit, so that nothing is cut there. */
  public OptionalInt tableWidth() {
    return screen.isTerminal() ? OptionalInt.of(width()) : OptionalInt.empty();
  }

  /** What stands for text that was cut out. */
  public String gap() {
    return screen.ascii() ? "~" : "…";
  }

  /** Whether colours are used. */
  public boolean colours() {
    return colours;
  }

  /** Writes lines of the result. */
  public void print(List<String> lines) {
    for (String line : lines) {
      print(line);
    }
  }

  /**
   * Writes lines of the result in the place of the last {@code before} ones; into a pipe, or on a
   * terminal that cannot go back, after them and an empty line.
   */
  public void redraw(List<String> lines, int before) {
    if (before > 0) {
      out.print(screen.isTerminal() && screen.goesBack() ? "\033[" + before + "F\033[J" : "\n");
    }
    print(lines);
  }

  /** Writes a line of the result. */
  public void print(String line) {
    out.print(line);
    out.print('\n');
  }

  /** The line that says what is going on. */
  StatusLine status() {
    return status;
  }

  /** Writes a remark. */
  public void remark(String line) {
    status.clear();
    err.print(line + "\n");
    err.flush();
  }

  /** {@code text} in colour where colours are used. */
  public String paint(Paint paint, String text) {
    return colours ? paint.on(text) : text;
  }

  /** Whether the output is closed. */
  public boolean isClosed() {
    return out.checkError();
  }

  /** Writes what is held back; what went wrong with it, unless the reader simply went away. */
  public Optional<String> finish() {
    out.flush();
    err.flush();
    IOException failure = stream == null ? null : stream.failure;
    String text = failure == null ? "" : String.valueOf(failure.getMessage());
    return failure == null || text.contains("Broken pipe") ? Optional.empty() : Optional.of(text);
  }

  private static PrintWriter writer(OutputStream stream, Screen screen, boolean flush) {
    Writer encoder = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
    return new PrintWriter(
        screen.ascii() ? new AsciiWriter(new BufferedWriter(encoder)) : encoder, flush);
  }

  /** Keeps the reason that a {@link PrintWriter} swallows. */
  private static final class WatchedStream extends FilterOutputStream {
    private @Nullable IOException failure;

    WatchedStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
