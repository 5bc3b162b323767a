package dev.portolan.backend.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.error.Threads;
import dev.portolan.core.text.Quotes;
import dev.portolan.netlink.NetlinkException;
import dev.portolan.netlink.NetworkNamespace;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program. Lines go in and out on threads of their own, so that waiting for an answer
 * can be given up, whatever the program does or does not do with its streams.
 */
final class ProgramRun {
  private static final int LONGEST_LINE = 1 << 16;
  private static final int SIGINT = 2;
  private static final int SIGTERM = 15;

  /** What a program printed may arrive a little after the news of its end. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final String name;
  private final Process process;
  private final Consumer<String> log;

  /**
   * Whether the program is to answer; where it need not, what looks like a wrong answer is none.
   */
  private final boolean answers;

  private final long started = System.nanoTime();
  private long asked = -1;
  private long answeredBefore = -1;
  private @Nullable Answer answer;
  private boolean written;
  private boolean refused;
  private boolean ended;
  private int streams = 2;
  private String lastWords = "";

  private ProgramRun(ExecOptions options, Process process) {
    this.name = options.command().getFirst();
    this.process = process;
    this.log = options.log();
    this.answers = options.answers() && options.mode() != ExecOptions.Mode.CALL;
  }

  /**
   * Starts the program for {@code node}; says what is wrong where it cannot.
   *
   * @param end called when the program has exited, for whatever reason
   */
  static ProgramRun start(ExecOptions options, String node, Consumer<ProgramRun> end) {
    String name = options.command().getFirst();
    ProcessBuilder builder = new ProcessBuilder(options.command());
    builder.environment().put("PORTOLAN_NODE", node);
    builder.environment().put("PORTOLAN_MODE", options.mode().toString());
    try {
      // A process begins in the network namespace of the thread that starts it.
      Process process =
          options.namespace().isEmpty()
              ? builder.start()
              : new NetworkNamespace(options.namespace().get()).visit(builder::start);
      ProgramRun program = new ProgramRun(options, process);
      program.listen(end);
      return program;
    } catch (IOException e) {
      throw new BackendException(
          ErrorCode.PROGRAM,
          "exec: the program '" + readable(name) + "' cannot be started: " + reason(e),
          e);
    } catch (NetlinkException e) {
      throw new BackendException(
          ErrorCode.PROGRAM,
          "exec: the program '" + readable(name) + "' cannot be started: " + e.getMessage(),
          e);
    }
  }

  private static String reason(IOException e) {
    String text = String.valueOf(e.getMessage());
    if (text.contains("error=2,") || text.contains("error: 2 ")) {
      return "no such file, or the interpreter in its first line is missing; check the path";
    }
    if (text.contains("error=13,") || text.contains("error: 13 ")) {
      return "it is not executable; run chmod +x";
    }
    return text;
  }

  private void listen(Consumer<ProgramRun> end) {
    inBackground("output", () -> read(process.getInputStream(), this::printed));
    inBackground("errors", () -> read(process.getErrorStream(), this::complained));
    inBackground("end", () -> awaitExit(end));
  }

  private void awaitExit(Consumer<ProgramRun> end) {
    process.onExit().join();
    change(() -> ended = true);
    end.accept(this);
  }

  private void inBackground(String what, Runnable work) {
    Threads.platform("exec-" + what).named("exec-" + what + "-" + process.pid()).start(work::run);
  }

  private synchronized void change(Runnable change) {
    change.run();
    notifyAll();
  }

  /** Passes each line to {@code line}, cut to the maximum length. */
  private void read(InputStream source, Consumer<String> line) {
    try (InputStream stream = new BufferedInputStream(source)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int b = stream.read(); b >= 0; b = stream.read()) {
        if (b == '\n') {
          line.accept(bytes.toString(UTF_8));
          bytes.reset();
        } else if (bytes.size() < LONGEST_LINE) {
          bytes.write(b);
        }
      }
      if (bytes.size() > 0) {
        line.accept(bytes.toString(UTF_8));
      }
    } catch (IOException e) {
      // The program was killed, and the stream closed under the reader.
    } finally {
      change(() -> streams--);
    }
  }

  private void printed(String line) {
    Optional<Answer> said = Answer.parse(line);
    if (said.isEmpty() || !take(said.get())) {
      log.accept(name + ": " + readable(line));
    }
  }

  /** Takes the first answer to what was asked last, right or wrong; returns whether this is it. */
  private synchronized boolean take(Answer said) {
    if (asked < 0 || answer != null || !counts(said)) {
      return false;
    }
    answer = said;
    notifyAll();
    return true;
  }

  private boolean counts(Answer said) {
    return switch (said) {
      case Answer.Applied applied -> counts(applied.revision());
      case Answer.Failed failed -> counts(failed.revision());
      case Answer.Unclear _ -> answers;
    };
  }

  /** A repeated answer to what was asked before is none; any other number is a wrong answer. */
  private boolean counts(long revision) {
    return revision == asked || (answers && revision != answeredBefore);
  }

  private void complained(String line) {
    if (!line.isBlank()) {
      change(() -> lastWords = readable(line.strip()));
      log.accept(name + ": " + readable(line));
    }
  }

  /**
   * Sends lines, to which the program is to answer with {@code revision}.
   *
   * @param last whether its input ends with them
   */
  void send(Stream<String> lines, long revision, boolean last) {
    change(() -> {
      answeredBefore = answer == null ? -1 : asked;
      asked = revision;
      answer = null;
      written = false;
    });
    inBackground(
        "input",
        () -> {
          try {
            write(lines);
            if (last) {
              process.getOutputStream().close();
            }
            change(() -> written = true);
          } catch (IOException e) {
            change(() -> refused = true);
          }
        });
  }

  private void write(Stream<String> lines) throws IOException {
    OutputStream input = process.getOutputStream();
    for (Iterator<String> all = lines.iterator(); all.hasNext(); ) {
      input.write(all.next().getBytes(UTF_8));
      input.write('\n');
    }
    input.flush();
  }

  /** Lets the program see the end of its input. */
  private void closeInput() {
    inBackground(
        "close",
        () -> {
          try {
            process.getOutputStream().close();
          } catch (IOException e) {
            // It has closed its side before.
          }
        });
  }

  /** Whether it has not been given all of what was sent. */
  synchronized boolean isBusy() {
    return !written && asked >= 0;
  }

  /** Waits for the answer to what was sent; empty where the program ended, or time is up. */
  synchronized Optional<Answer> awaitAnswer(Duration timeout) throws InterruptedException {
    await(() -> answer != null || ended || refused, timeout);
    if (answer == null && (ended || refused)) {
      await(() -> answer != null || (ended && streams == 0), LAST_WORDS);
    }
    return Optional.ofNullable(answer);
  }

  /** Waits until everything is written; false where the program ended, or time is up. */
  synchronized boolean awaitWritten(Duration timeout) throws InterruptedException {
    await(() -> written || ended || refused, timeout);
    return written;
  }

  /** Waits for the end of the program and of what it prints; false where time is up. */
  synchronized boolean awaitEnd(Duration timeout) throws InterruptedException {
    await(() -> ended, timeout);
    if (ended) {
      await(() -> streams == 0, LAST_WORDS);
    }
    return ended;
  }

  private void await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!condition.getAsBoolean()) {
      long rest = deadline - System.nanoTime();
      if (rest <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(rest, 1_000_000));
    }
  }

  synchronized boolean hasEnded() {
    return ended;
  }

  /** Whether it has closed its standard input, or ended. */
  synchronized boolean isDeaf() {
    return refused || ended;
  }

  /** For how long it has run. */
  Duration age() {
    return Duration.ofNanos(System.nanoTime() - started);
  }

  int status() {
    return process.exitValue();
  }

  /**
   * Whether it was stopped by a signal that people and init systems send, mostly to all at once.
   */
  boolean wasStopped() {
    return hasEnded() && (status() == 128 + SIGINT || status() == 128 + SIGTERM);
  }

  /** How it ended, as in {@code ended with status 1; its last words: no such table}. */
  synchronized String ending() {
    int status = process.exitValue();
    return "exited with status "
        + status
        + (status > 128 ? " (signal " + (status - 128) + ")" : "")
        + (lastWords.isEmpty()
            ? " without output on standard error"
            : "; its last line: " + lastWords);
  }

  /** Ends it, as gently as it lets us; its children too, unless it ends by itself. */
  void end(Duration grace) {
    closeInput();
    List<ProcessHandle> children = List.of();
    try {
      if (!awaitEnd(grace)) {
        children = process.descendants().toList();
        process.destroy();
        children.forEach(ProcessHandle::destroy);
        awaitEnd(grace);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    kill();
  }

  /** Ends it at once, with its children: they would hold its streams open. */
  void kill() {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** {@code text} without what a terminal could take for more than text. */
  static String readable(String text) {
    return Quotes.printable(text.replace('\t', ' '));
  }
}
