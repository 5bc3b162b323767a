package dev.portolan.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes: results to one side, remarks to the other, in UTF-8 whatever the locale.
 */
public final class Terminal {
  private static final int USUAL_WIDTH = 80;
  private static final int LEAST_WIDTH = 60;

  private final PrintWriter out;
  private final PrintWriter err;
  private final int width;
  private final boolean colours;
  private final @Nullable WatchedStream stream;
  private final StatusLine status;

  private Terminal(
      PrintWriter out,
      PrintWriter err,
      int width,
      boolean colours,
      @Nullable WatchedStream stream) {
    this.out = out;
    this.err = err;
    this.width = width;
    this.colours = colours;
    this.stream = stream;
    this.status = new StatusLine(err, stream != null && StatusLine.isPossible(), this::width);
  }

  /** The terminal, file or pipe that the process writes to. */
  public static Terminal ofProcess() {
    WatchedStream stream = new WatchedStream(new FileOutputStream(FileDescriptor.out));
    boolean interactive =
        Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    String noColour = System.getenv("NO_COLOR");
    return new Terminal(
        writer(stream, false),
        writer(new FileOutputStream(FileDescriptor.err), true),
        interactive ? width(System.getenv("COLUMNS")) : USUAL_WIDTH,
        interactive && (noColour == null || noColour.isEmpty()),
        stream);
  }

  /** Two writers without colours. */
  public static Terminal plain(PrintWriter out, PrintWriter err) {
    return new Terminal(out, err, USUAL_WIDTH, false, null);
  }

  /** Two writers with colours. */
  public static Terminal coloured(PrintWriter out, PrintWriter err) {
    return new Terminal(out, err, USUAL_WIDTH, true, null);
  }

  /** For results. */
  public PrintWriter out() {
    return out;
  }

  /** For remarks. */
  public PrintWriter err() {
    return err;
  }

  /** How many columns a line should have at most. */
  public int width() {
    return width;
  }

  /** Whether colours are understood. */
  public boolean colours() {
    return colours;
  }

  /** Writes lines of the result. */
  public void print(List<String> lines) {
    for (String line : lines) {
      print(line);
    }
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

  /** {@code text} in colour where colours are understood. */
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

  private static PrintWriter writer(OutputStream stream, boolean flush) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), flush);
  }

  private static int width(@Nullable String columns) {
    try {
      return columns == null
          ? USUAL_WIDTH
          : Math.max(LEAST_WIDTH, Integer.parseInt(columns.strip()));
    } catch (NumberFormatException e) {
      return USUAL_WIDTH;
    }
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
