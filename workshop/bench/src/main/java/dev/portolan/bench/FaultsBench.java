package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.SyntheticCluster;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * How long a node stays broken: rules are removed, or the connection to the API server lets no
 * packet through any more. Ours and kube-proxy in turn, on the same API server with the same flags.
 */
final class FaultsBench {
  private static final int SERVICES = 1_000;
  private static final SyntheticCluster CLUSTER = new SyntheticCluster(SERVICES, 6, 100);
  private static final int CHANGED = 500;
  private static final String UNCHANGED = "ns-0/service-900:http";
  private static final int[] CHANGES_A_SECOND = {0, 5, 50};
  private static final int LIMIT_SECONDS = 60;
  private static final int REPAIR_SECONDS = 2;
  private static final int QUIET_REPAIR_SECONDS = 5;
  private static final int SILENCE_SECONDS = 30;

  private final Report report;
  private final DaemonStage stage;
  private final String kernel;

  /** Rules that the bench removes, and the command that lists those that have to come back. */
  private record Fault(String what, List<String> removal, List<String> listing) {}

  /** A program, and the nftables table that is its own. */
  private record Program(String name, List<String> command, boolean isOurs) {}

  private FaultsBench(Report report, DaemonStage stage, String kernel) {
    this.report = report;
    this.stage = stage;
    this.kernel = kernel;
  }

  static void run(Report report) {
    for (String kind : List.of("nft", "legacy")) {
      DaemonStage.open(
          report,
          CLUSTER,
          namespace -> new DaemonRules.InIptables(namespace, kind),
          stage -> new FaultsBench(report, stage, "iptables-" + kind).measure());
    }
    DaemonStage.open(
        report,
        CLUSTER,
        DaemonRules.InNftables::new,
        stage -> {
          FaultsBench bench = new FaultsBench(report, stage, "nftables");
          bench.measure();
          bench.measureVanishingPackets();
        });
  }

  private List<Program> programs() {
    List<Program> programs = new ArrayList<>(List.of(new Program("portolan", stage.ours(), true)));
    Optional<Path> peer = Peers.find("kube-proxy");
    peer.ifPresent(
        path -> programs.add(new Program("kube-proxy", List.of(path.toString()), false)));
    if (peer.isEmpty()) {
      report.progress("there is no kube-proxy to compare with; ./dev peers builds one");
    }
    return programs;
  }

  private void measure() throws IOException, InterruptedException {
    stage.load(0, SERVICES);
    for (Program program : programs()) {
      for (int rate : CHANGES_A_SECOND) {
        for (int i = 0; i < 3; i++) {
          measure(program, rate, i);
        }
      }
    }
  }

  private void measure(Program program, int rate, int number)
      throws IOException, InterruptedException {
    report.progress(kernel + ", " + program.name + ", " + rate + " changes a second");
    AtomicBoolean done = new AtomicBoolean();
    try (Daemon _ = started(program)) {
      Thread changing = Thread.ofPlatform().start(() -> change(rate, done));
      try {
        TimeUnit.SECONDS.sleep(5);
        Fault fault = faults(program).get(number);
        long before = lines(fault.listing);
        BenchNamespace.run(stage.namespace().inside(fault.removal.toArray(String[]::new)), "");
        double seconds = await(() -> lines(fault.listing) >= before);
        String what =
            "%s, %s, %s: %s"
                .formatted(
                    kernel, fault.what, rate == 0 ? "quiet" : rate + " changes/s", program.name);
        tell(what, seconds, program, rate == 0 ? QUIET_REPAIR_SECONDS : REPAIR_SECONDS);
      } finally {
        done.set(true);
        changing.join();
      }
    } finally {
      stage.rules().flush();
    }
  }

  private Daemon started(Program program) throws IOException {
    Daemon daemon = stage.start(program.command.toArray(String[]::new));
    String table = program.isOurs ? "portolan" : "kube-proxy";
    daemon.await(() -> stage.rules().services(table) >= SERVICES);
    return daemon;
  }

  private List<Fault> faults(Program program) {
    if (kernel.equals("nftables")) {
      String table = program.isOurs ? "portolan" : "kube-proxy";
      List<String> map = List.of("nft", "list", "map", "ip", table, "service-ips");
      List<String> chain = List.of("nft", "list", "chain", "ip", table, "nat-prerouting");
      return List.of(
          new Fault("table deleted", List.of("nft", "delete", "table", "ip", table), map),
          new Fault(
              "services flushed", List.of("nft", "flush", "map", "ip", table, "service-ips"), map),
          new Fault(
              "prerouting flushed",
              List.of("nft", "flush", "chain", "ip", table, "nat-prerouting"),
              chain));
    }
    String chain = chainOfAService();
    return List.of(
        iptables("KUBE-SERVICES flushed", "KUBE-SERVICES", "-F", "KUBE-SERVICES"),
        iptables("jump deleted", "PREROUTING", "-D", "PREROUTING", "1"),
        iptables("rule of a service deleted", chain, "-D", chain, "1"));
  }

  private Fault iptables(String what, String chain, String... removal) {
    List<String> command = new ArrayList<>(List.of(kernel, "-w", "-t", "nat"));
    List<String> listing = new ArrayList<>(command);
    command.addAll(List.of(removal));
    listing.addAll(List.of("-S", chain));
    return new Fault(what, command, listing);
  }

  /** That of a service that does not change meanwhile. */
  private String chainOfAService() {
    return BenchNamespace.run(stage.namespace().inside(kernel + "-save", "-t", "nat"), "")
        .lines()
        .filter(line -> line.startsWith("-A KUBE-SVC-") && line.contains(UNCHANGED))
        .map(line -> line.split(" ", 3)[1])
        .findFirst()
        .orElseThrow();
  }

  /** How many lines a command prints; none where what it lists does not exist. */
  private long lines(List<String> listing) {
    try {
      return BenchNamespace.run(stage.namespace().inside(listing.toArray(String[]::new)), "")
          .lines()
          .count();
    } catch (IllegalStateException e) {
      return 0;
    }
  }

  private void change(int rate, AtomicBoolean done) {
    for (int i = 0; rate > 0 && !done.get(); i++) {
      stage.change(i * 7 % CHANGED);
      try {
        TimeUnit.MILLISECONDS.sleep(1_000 / rate);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** The packets of the connections that are open vanish; new ones work. */
  private void measureVanishingPackets() throws IOException, InterruptedException {
    for (Program program : programs()) {
      report.progress("half-open connection, " + program.name);
      try (Daemon daemon = started(program)) {
        daemon.await(stage::isQuiet);
        String table = program.isOurs ? "portolan" : "kube-proxy";
        String before = list(table);
        int changed = changed(before);
        String wanted = first(changed, before.contains(first(changed, 1)) ? 0 : 1);
        dropConnections();
        stage.change(changed);
        double seconds = await(() -> list(table).contains(wanted));
        tell(
            "change after a connection became half-open: " + program.name,
            seconds,
            program,
            SILENCE_SECONDS);
      } finally {
        BenchNamespace.run(stage.namespace().inside("nft", "delete", "table", "ip", "hole"), "");
        stage.rules().flush();
      }
    }
  }

  /** A service of which the kernel has one version, and none of the endpoint of the other. */
  private static int changed(String rules) {
    return IntStream.range(0, CHANGED)
        .filter(i -> rules.contains(first(i, 0)) != rules.contains(first(i, 1)))
        .findFirst()
        .orElseThrow();
  }

  /** The first endpoint of a service as it is in a version. */
  private static String first(int service, int version) {
    return CLUSTER.slice(service, version).members().getFirst().addresses().getFirst() + " ";
  }

  private String list(String table) {
    return BenchNamespace.run(stage.namespace().inside("nft", "list", "table", "ip", table), "");
  }

  private void dropConnections() {
    String port = String.valueOf(stage.plane().port());
    StringBuilder rules =
        new StringBuilder("add table ip hole; add chain ip hole out")
            .append(" { type filter hook output priority -300; }\n");
    BenchNamespace.run(stage.namespace().inside("ss", "-tnH", "dport", "=", ":" + port), "")
        .lines()
        .map(line -> line.trim().split(" +", 5)[3])
        .map(local -> local.substring(local.lastIndexOf(':') + 1))
        .forEach(local ->
            rules
                .append("add rule ip hole out tcp sport " + local + " drop\n")
                .append("add rule ip hole out tcp dport " + local + " drop\n"));
    stage.namespace().nft(rules.toString(), "-f", "-");
  }

  /** Seconds until a condition holds; infinite if it does not within the limit. */
  private static double await(BooleanSupplier condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
        return Double.POSITIVE_INFINITY;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private void tell(String what, double seconds, Program program, double target) {
    if (program.isOurs) {
      report.atMost(what, Math.min(seconds, LIMIT_SECONDS), target, "s");
    } else if (Double.isInfinite(seconds)) {
      report.value(what + ", not within", LIMIT_SECONDS, "s");
    } else {
      report.value(what, seconds, "s");
    }
  }
}
