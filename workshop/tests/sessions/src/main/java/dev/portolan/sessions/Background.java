package dev.portolan.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.CommandRun;
import dev.portolan.terminal.Terminal;
import dev.portolan.testbase.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A command that runs on a thread of its own, until it is interrupted. */
public final class Background implements AutoCloseable {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  /** What it has printed. */
  public final StringWriter out = new StringWriter();

  /** What it has remarked. */
  public final StringWriter err = new StringWriter();

  private final AtomicInteger status = new AtomicInteger(-1);
  private final Thread thread;

  /** Starts a command. */
  public Background(String... args) {
    thread =
        Thread.ofPlatform()
            .daemon()
            .start(() ->
                status.set(
                    CommandRun.run(
                        args, Terminal.plain(new PrintWriter(out), new PrintWriter(err, true)))));
  }

  /** A command of these words. */
  public static Background of(String[] words, String... more) {
    return new Background(words(words, more));
  }

  /** Runs a command of these words to its end. */
  public static Shell.Result run(String[] words, String... more) {
    return Shell.run(words(words, more));
  }

  /** These words, and more. */
  public static String[] words(String[] first, String... more) {
    return Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new);
  }

  /** Waits until {@code writer} has {@code text}. */
  public void await(StringWriter writer, String text) {
    Await.until(
        () -> '"' + text + "\" in what it said: " + writer,
        () -> writer.toString().contains(text) || !thread.isAlive());
    assertThat(writer.toString()).contains(text);
  }

  /** Interrupts it, as Ctrl-C does; returns the exit status. */
  public int stop() throws InterruptedException {
    thread.interrupt();
    thread.join(LONGEST_WAIT);
    assertThat(thread.isAlive()).isFalse();
    return status.get();
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while a command stopped", e);
    }
  }
}
