package dev.portolan.bench.daemon;

import dev.portolan.api.transport.Address;
import dev.portolan.bench.kit.BenchObjects;
import dev.portolan.bench.kit.Checkout;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.brain.Brain;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.testbase.OwnJvm;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A brain in its own process, with a cluster that changes on request. */
public final class BrainProcess implements AutoCloseable {
  private static final int SERVICES = 10_000;
  private static final int ENDPOINTS = 10;
  private static final int NODES = 5_000;
  private static final String COLLECT = "collect";

  private final Process process;
  private final BufferedReader says;
  private final BufferedWriter tells;

  private BrainProcess(Process process) {
    this.process = process;
    this.says = process.inputReader(StandardCharsets.UTF_8);
    this.tells = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts a brain that listens at {@code socket}, with the JVM options that {@code portolan brain}
   * uses.
   */
  public static BrainProcess start(Path socket) throws IOException {
    BrainProcess brain =
        new BrainProcess(
            new ProcessBuilder(
                    OwnJvm.words(
                        List.of("@" + Checkout.javaOptions(), "@" + Checkout.brainOptions()),
                        BrainProcess.class,
                        socket.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    brain.answer();
    return brain;
  }

  /**
   * Replaces an endpoint of a service; returns when that was, as {@link System#nanoTime} has it.
   */
  public long change(int service) throws IOException {
    tell(Integer.toString(service));
    return Long.parseLong(answer());
  }

  /** Collects its garbage; what is resident then is what it needs. */
  public void collect() throws IOException, InterruptedException {
    tell(COLLECT);
    answer();
    // The JVM gives back what is free in malloc's memory every five seconds.
    TimeUnit.SECONDS.sleep(6);
  }

  private void tell(String command) throws IOException {
    tells.write(command + "\n");
    tells.flush();
  }

  /** What it uses. */
  public ProcessFigures figures() {
    return new ProcessFigures(process.pid());
  }

  private String answer() throws IOException {
    String line = says.readLine();
    if (line == null) {
      throw new IOException("the brain ended");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }

  /** The brain's side: commands on standard input; a number is a service to change. */
  public static void main(String[] args) throws IOException {
    SyntheticCluster cluster = new SyntheticCluster(SERVICES, ENDPOINTS, NODES);
    Brain brain = new Brain(warning -> {});
    brain.apply(cluster.all());
    Options options =
        Options.builder()
            .listeners(List.of(ListenAddress.plain(new Address.Unix(Path.of(args[0])))))
            .build();
    int[] versions = new int[SERVICES];
    try (BrainServer _ = BrainServer.start(brain, options);
        BufferedReader commands =
            new BufferedReader(new java.io.InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("ready");
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        if (line.equals(COLLECT)) {
          System.gc();
          System.out.println(COLLECT);
          continue;
        }
        int service = Integer.parseInt(line);
        ClusterDelta change = BenchObjects.written(cluster.slice(service, ++versions[service]));
        long now = System.nanoTime();
        brain.apply(change);
        System.out.println(now);
      }
    }
  }
}
