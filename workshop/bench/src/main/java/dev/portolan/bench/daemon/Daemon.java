package dev.portolan.bench.daemon;

import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.testkit.peers.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A kube-proxy, ours or the other, that runs in a namespace against a real API server. */
public final class Daemon implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(3);

  private final Process process;
  private final Path log;
  private final long start;

  private Daemon(Process process, Path log, long start) {
    this.process = process;
    this.log = log;
    this.start = start;
  }

  public static Daemon start(
      BenchNamespace namespace, ControlPlane plane, DaemonRules rules, String... program)
      throws IOException {
    List<String> command = new ArrayList<>(namespace.inside(program));
    command.addAll(
        List.of(
            "--kubeconfig=" + plane.kubeconfig(),
            "--proxy-mode=" + rules.mode(),
            "--hostname-override=node-0",
            "--cluster-cidr=10.128.0.0/9",
            "--conntrack-max-per-core=0",
            "--conntrack-tcp-timeout-established=0s",
            "--conntrack-tcp-timeout-close-wait=0s",
            "--oom-score-adj=0"));
    Path log = Files.createTempFile("daemon", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(rules.environment());
    long start = System.nanoTime();
    return new Daemon(builder.start(), log, start);
  }

  /** Seconds since the start. */
  public double age() {
    return (System.nanoTime() - start) / 1e9;
  }

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
    try {
      Files.delete(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
