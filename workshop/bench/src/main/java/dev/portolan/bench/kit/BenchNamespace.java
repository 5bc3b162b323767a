package dev.portolan.bench.kit;

import dev.portolan.netlink.NetworkNamespace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A network namespace of the measurement's own, with no way out. It needs root and the program ip.
 */
public final class BenchNamespace implements AutoCloseable {
  private final String name = "portolan-bench-" + UUID.randomUUID().toString().substring(0, 8);

  public BenchNamespace() {
    run(List.of("ip", "netns", "add", name), "");
  }

  public Path path() {
    return NetworkNamespace.named(name).path();
  }

  /** Runs {@code ip} on it. */
  public void ip(String... words) {
    List<String> command = new ArrayList<>(List.of("ip", "-n", name));
    command.addAll(List.of(words));
    run(command, "");
  }

  /** The command that runs a program inside. */
  public List<String> inside(String... words) {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
    command.addAll(List.of(words));
    return command;
  }

  /** Runs nft inside with {@code input} on its standard input. */
  public void nft(String input, String... words) {
    List<String> command = inside("nft");
    command.addAll(List.of(words));
    run(command, input);
  }

  @Override
  public void close() {
    run(List.of("ip", "netns", "delete", name), "");
  }

  /** Runs a program to its end; returns what it printed. */
  public static String run(List<String> command, String input) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot run " + command.getFirst() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
