package dev.portolan.conformance;

import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Says every two seconds how far something has come. */
final class Ticker implements AutoCloseable {
  private static final int SECONDS = 2;

  private final String name;
  private final PrintStream out;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("ticker").factory());
  private volatile String words = "";

  Ticker(String name, PrintStream out) {
    this.name = name;
    this.out = out;
    var _ = clock.scheduleAtFixedRate(this::tick, SECONDS, SECONDS, TimeUnit.SECONDS);
  }

  /** Notes how far it has come. */
  void progress(String words) {
    this.words = words;
  }

  private void tick() {
    out.println("conformance: " + name + (words.isEmpty() ? "" : ": " + words) + " ...");
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
