package dev.portolan.bench;

import dev.portolan.netlink.nftables.Nftables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The real kube-proxy in nftables mode, where the machine has one on its PATH. */
final class KubeProxyPeer {
  private static final String TABLE = "kube-proxy";
  private static final int CHANGES = 10;
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(3);

  private KubeProxyPeer() {}

  static void run(Report report, BenchNamespace namespace, int services, int endpoints) {
    Optional<Path> program =
        Pattern.compile(":")
            .splitAsStream(String.valueOf(System.getenv("PATH")))
            .map(folder -> Path.of(folder, "kube-proxy"))
            .filter(Files::isExecutable)
            .findFirst();
    if (program.isEmpty()) {
      report.progress("no kube-proxy on the PATH; it is left out");
      return;
    }
    report.progress("the peer: " + program.get());
    SyntheticCluster cluster = new SyntheticCluster(services, endpoints, 100);
    namespace.ip("link", "set", "lo", "up");
    try (StubApiServer api = namespace.visit(() -> new StubApiServer(cluster));
        Nftables kernel = new Nftables(Optional.of(namespace.path()))) {
      long start = System.nanoTime();
      Process process = start(program.get(), namespace, api.url());
      try {
        await(process, () -> kernel.elements(false, TABLE, "service-ips").size() >= services);
        report.value(
            "peer: kube-proxy from start to complete", (System.nanoTime() - start) / 1e6, "ms");
        report.value("  its resident size then", residentSize(process), "MB");
        await(process, () -> isQuiet(kernel));
        Samples samples =
            Samples.of(
                1,
                CHANGES,
                i -> {
                  int generation = kernel.generation();
                  api.change(cluster.slice(20 * i, 1));
                  await(process, () -> kernel.generation() != generation);
                });
        report.value("peer: kube-proxy, one endpoint replaced, median", samples.millis(0.5), "ms");
      } finally {
        process.destroy();
        process.waitFor();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Process start(Path program, BenchNamespace namespace, String url)
      throws IOException {
    List<String> command =
        namespace.inside(
            program.toString(),
            "--master=" + url,
            "--kube-api-content-type=application/json",
            "--proxy-mode=nftables",
            "--hostname-override=node-0",
            "--cluster-cidr=10.128.0.0/9",
            "--iptables-min-sync-period=1ms",
            "--conntrack-max-per-core=0",
            "--conntrack-tcp-timeout-established=0s",
            "--conntrack-tcp-timeout-close-wait=0s",
            "--oom-score-adj=0");
    Path log = Files.createTempFile("kube-proxy", ".log");
    log.toFile().deleteOnExit();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** Something that becomes true. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws InterruptedException;
  }

  private static void await(Process process, Condition condition) {
    long end = System.nanoTime() + PATIENCE;
    try {
      while (!condition.holds()) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw new IllegalStateException("kube-proxy ended, or did not get there in 3 minutes");
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static boolean isQuiet(Nftables kernel) throws InterruptedException {
    int generation = kernel.generation();
    TimeUnit.SECONDS.sleep(3);
    return kernel.generation() == generation;
  }

  private static double residentSize(Process process) throws IOException {
    String pages =
        Files.readString(Path.of("/proc", String.valueOf(process.pid()), "statm"))
            .split(" ", -1)[1];
    return Long.parseLong(pages) * 4096 / 1e6;
  }
}
