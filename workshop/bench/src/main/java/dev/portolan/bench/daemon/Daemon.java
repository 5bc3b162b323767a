package dev.portolan.bench.daemon;

import dev.portolan.bench.kit.ProcessFigures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A kube-proxy, ours or the other, that runs in a namespace against a real API server. When it is
 * closed, its rules are gone, too.
 */
public final class Daemon implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(3);

  private final Process process;
  private final Path log;
  private final DaemonRules rules;
  private final double startSeconds;

  /** Starts one; returns when it has rules of so many services. */
  Daemon(List<String> command, String table, int services, DaemonRules rules) throws IOException {
    this.rules = rules;
    this.log = Files.createTempFile("daemon", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(rules.environment());
    long start = System.nanoTime();
    this.process = builder.start();
    try {
      await(() -> rules.services(table) >= services);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    this.startSeconds = (System.nanoTime() - start) / 1e9;
  }

  /** How long it took until all rules were there. */
  public double startSeconds() {
    return startSeconds;
  }

  /** Returns when a condition holds. */
  public void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("it ended, or did not get there in 3 minutes: " + tail());
      }
      try {
        TimeUnit.MICROSECONDS.sleep(500);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  /** What it uses. */
  public ProcessFigures figures() {
    return new ProcessFigures(process.pid());
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
    rules.flush();
    try {
      Files.delete(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
