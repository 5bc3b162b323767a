package dev.portolan.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What is printed while it is open; lines are read one after another. */
final class Output implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final PrintStream before = System.out;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int seen;

  Output() {
    System.setOut(new PrintStream(bytes, true, UTF_8));
  }

  /** Waits for the next line that is as wanted, and skips what is before it. */
  String await(Predicate<String> wanted) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<String> skipped = new ArrayList<>();
    while (true) {
      String text = bytes.toString(UTF_8);
      int end = text.indexOf("\n", seen);
      if (end >= 0) {
        String line = text.substring(seen, end);
        seen = end + 1;
        if (wanted.test(line)) {
          return line;
        }
        skipped.add(line);
      } else if (System.nanoTime() > deadline) {
        throw new AssertionError("the line did not come; these did: " + skipped);
      } else {
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    System.setOut(before);
  }
}
