package dev.portolan.conformance.console;

import dev.portolan.core.error.Threads;
import java.io.PrintWriter;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Says every two seconds how far something has come. */
final class Ticker implements AutoCloseable {
  private static final int SECONDS = 2;

  private final String name;
  private final PrintWriter out;
  private final ScheduledExecutorService clock = Threads.platform("ticker").timer();
  private volatile String words = "";

  Ticker(String name, PrintWriter out) {
    this.name = name;
    this.out = out;
    var _ = clock.scheduleAtFixedRate(this::tick, SECONDS, SECONDS, TimeUnit.SECONDS);
  }

  /** Notes how far it has come. */
  void progress(String words) {
    this.words = words;
  }

  private void tick() {
    out.print("conformance: " + name + (words.isEmpty() ? "" : ": " + words) + " ...\n");
    out.flush();
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
