package dev.portolan.bench;

import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.backend.userspace.UserspaceBackend;
import dev.portolan.backend.userspace.UserspaceOptions;
import dev.portolan.bench.kit.BenchNode;
import dev.portolan.bench.kit.Checkout;
import dev.portolan.bench.kit.ProcessFigures;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.traffic.AnswerLoop;
import dev.portolan.bench.traffic.ConnectPath;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.backend.Backend;
import dev.portolan.lab.Actor;
import dev.portolan.lab.Lab;
import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What it costs that connections pass a process: userspace beside nftables, each on a node of its
 * own in one run, turn by turn. Then what the process needs for many open connections.
 */
final class UserspaceBench {
  private static final int ROUNDS = Integer.getInteger("portolan.bench.rounds", 60);
  private static final int CONNECTIONS = 10_000;

  /** Megabytes that the process may have then. */
  private static final double LARGEST = 400;

  private static final int OTHER_FILES = 1_000;

  private UserspaceBench() {}

  static void run(Report report) throws IOException {
    try (Lab plain = Lab.open();
        Lab proxied = Lab.open();
        NftablesBackend rules =
            new NftablesBackend(NftablesOptions.DEFAULT.in(Optional.of(plain.node().path())));
        ConnectPath nftables = ConnectPath.throughServices("nftables", plain);
        ConnectPath userspace = ConnectPath.throughServices("userspace", proxied)) {
      serve(rules);
      Process process = start(proxied.node().path());
      try {
        measure(report, nftables, userspace);
        hold(report, new ProcessFigures(process.pid()), userspace);
      } finally {
        process.destroy();
        process.onExit().join();
      }
    }
  }

  /** Serves the services of {@link ConnectPath} until it is ended; prints a line when it does. */
  public static void main(String[] args) throws InterruptedException {
    serve(new UserspaceBackend(UserspaceOptions.DEFAULT.in(Path.of(args[0]))));
    System.out.println("serving");
    Thread.currentThread().join();
  }

  private static void serve(Backend backend) {
    long _ =
        new BenchNode(Actor.NODE_NAME, NodeSettings.DEFAULT, ConnectPath.objects()).start(backend);
  }

  /** How many connections can be open: each is two files of the process, and two of this one. */
  private static int connections() throws IOException {
    int files =
        Files.readAllLines(Path.of("/proc/self/limits")).stream()
            .filter(line -> line.startsWith("Max open files"))
            .mapToInt(line -> Integer.parseInt(line.split("\\s{2,}", -1)[1]))
            .findFirst()
            .orElseThrow();
    return Math.min(CONNECTIONS, (files - OTHER_FILES) / 2);
  }

  /** The backend in a process of its own, with the options of the launcher. */
  private static Process start(Path namespace) throws IOException {
    Process process =
        new ProcessBuilder(
                OwnJvm.words(
                    List.of("@" + Checkout.javaOptions()),
                    UserspaceBench.class,
                    namespace.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.inputReader().readLine() == null) {
      throw new IllegalStateException("the process with the backend ended");
    }
    return process;
  }

  private static void measure(Report report, ConnectPath nftables, ConnectPath userspace)
      throws IOException {
    List<ConnectPath> both = List.of(nftables, userspace);
    report.progress("connections with an answer, in %d rounds, after warming up".formatted(ROUNDS));
    ConnectPath.inTurns(both, ROUNDS, path -> path.ask(200));
    both.forEach(ConnectPath::forget);
    ConnectPath.inTurns(both, ROUNDS, path -> path.ask(200));
    report.progress("bulk, in %d rounds".formatted(ROUNDS / 3));
    ConnectPath.inTurns(both, ROUNDS / 3, path -> path.send(300));
    report.value("nftables: connections with an answer", nftables.rate(), "/s");
    report.value("userspace: connections with an answer", userspace.rate(), "/s");
    report.atLeast("  in terms of nftables", userspace.rate() / nftables.rate(), 0.13, "x");
    report.value("nftables: bulk", nftables.throughput(), "Gbit/s");
    report.value("userspace: bulk", userspace.throughput(), "Gbit/s");
    report.atLeast(
        "  in terms of nftables", userspace.throughput() / nftables.throughput(), 0.6, "x");
  }

  private static void hold(Report report, ProcessFigures process, ConnectPath userspace)
      throws IOException {
    int count = connections();
    String many = "%,d open connections".formatted(count);
    report.progress(many);
    report.value("userspace: resident before", process.residentSize(), "MB");
    try (AnswerLoop _ = userspace.answering()) {
      List<SocketChannel> held = userspace.hold(count);
      double most = LARGEST * count / CONNECTIONS;
      report.atMost("userspace: resident with " + many, process.residentSize(), most, "MB");
      report.value("  peak", process.peakSize(), "MB");
      for (SocketChannel socket : held) {
        socket.close();
      }
    }
  }
}
