package dev.portolan.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.daemon.Daemon;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Namespace;
import dev.portolan.testbase.Await;
import dev.portolan.testkit.peers.ControlPlane;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A kube-proxy, ours or the other, in a process of its own inside the node's namespace. */
final class NodeProcess implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(2);
  private static final List<String> COMMON =
      List.of(
          "--hostname-override=" + Actor.NODE_NAME,
          "--detect-local-mode=NodeCIDR",
          // These belong to the whole machine.
          "--conntrack-max-per-core=0",
          "--conntrack-tcp-timeout-established=0s",
          "--conntrack-tcp-timeout-close-wait=0s");

  private final Process process;
  private final Path log;

  private NodeProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts our own program; what it says goes into a file of {@code folder}. */
  static NodeProcess portolan(Namespace node, ControlPlane plane, Path folder, String... flags)
      throws IOException {
    List<String> words = new ArrayList<>(Daemon.program());
    words.addAll(List.of("kube-proxy", "--proxy-mode=nftables"));
    words.addAll(List.of(flags));
    return start(node, plane, folder, System.getenv("PATH"), words);
  }

  /** Starts the real kube-proxy; it finds programs in {@code programs} before all others. */
  static NodeProcess kubeProxy(
      Namespace node, ControlPlane plane, Path folder, Path programs, String mode)
      throws IOException {
    return start(
        node,
        plane,
        folder,
        programs + ":" + System.getenv("PATH"),
        List.of(Peers.program("kube-proxy").toString(), "--proxy-mode=" + mode));
  }

  private static NodeProcess start(
      Namespace node, ControlPlane plane, Path folder, String path, List<String> words)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", node.name()));
    command.addAll(words);
    command.add("--kubeconfig=" + plane.kubeconfig());
    command.addAll(COMMON);
    Path log = Files.createTempFile(folder, "node", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("PATH", path);
    return new NodeProcess(builder.start(), log);
  }

  /** Waits until something is so; fails when the process ends before. */
  void await(String what, Callable<Boolean> condition) {
    Await.until(() -> what + "\n" + log(), () -> !process.isAlive() || condition.call());
    assertThat(process.isAlive()).as("it ended before this: %s%n%s", what, log()).isTrue();
  }

  /** What it said so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGTERM; returns the exit status. */
  int stop() {
    process.destroy();
    return exitStatus();
  }

  /** Sends SIGKILL. */
  void kill() {
    process.destroyForcibly();
    int _ = exitStatus();
  }

  /** Waits for its end. */
  int exitStatus() {
    try {
      if (!process.waitFor(PATIENCE, TimeUnit.NANOSECONDS)) {
        throw new AssertionError("it does not end\n" + log());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
