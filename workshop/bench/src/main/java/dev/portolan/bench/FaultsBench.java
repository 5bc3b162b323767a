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
import java.util.stream.Stream;

/**
 * How long a node stays broken: rules are removed, or the connection to the API server, or to our
 * brain, lets no packet through any more. Ours and kube-proxy in turn, on the same API server with
 * the same flags.
 */
final class FaultsBench {
  private static final int SERVICES = 1_000;
  private static final SyntheticCluster CLUSTER = new SyntheticCluster(SERVICES, 6, 100);
  private static final int MANY = 10_000;
  private static final List<String> OF_MANY = List.of("KUBE-SERVICES flushed", "rule deleted");
  private static final int CHANGED = 500;
  private static final String UNCHANGED = "ns-0/service-900:http";
  private static final int[] CHANGES_A_SECOND = {0, 5, 50};
  private static final int LIMIT_SECONDS = 60;
  private static final int REPAIR_SECONDS = 2;
  private static final int QUIET_REPAIR_SECONDS = 5;
  private static final int REPAIR_SECONDS_OF_MANY = 10;
  private static final int SILENCE_SECONDS = 30;
  private static final int BRAIN_PORT = 10_260;

  /** Only rows whose name contains this are measured. */
  private static final String ONLY = System.getenv().getOrDefault("BENCH_FAULT", "");

  private final Report report;
  private final DaemonStage stage;
  private final String kernel;
  private final int services;
  private boolean loaded;

  /** Rules that the bench removes, and the command that lists those that have to come back. */
  private record Fault(List<String> removal, List<String> listing) {}

  /** A program, and the nftables table that is its own. */
  private record Program(String name, List<String> command, boolean isOurs) {}

  private FaultsBench(Report report, DaemonStage stage, String kernel, int services) {
    this.report = report;
    this.stage = stage;
    this.kernel = kernel;
    this.services = services;
  }

  static void run(Report report) {
    for (String kind : List.of("nft", "legacy")) {
      DaemonStage.open(
          report,
          CLUSTER,
          namespace -> new DaemonRules.InIptables(namespace, kind),
          stage -> new FaultsBench(report, stage, "iptables-" + kind, SERVICES).measure());
      DaemonStage.open(
          report,
          new SyntheticCluster(MANY, 6, 100),
          namespace -> new DaemonRules.InIptables(namespace, kind),
          stage -> new FaultsBench(report, stage, "iptables-" + kind, MANY).measureMany());
    }
    DaemonStage.open(
        report,
        CLUSTER,
        DaemonRules.InNftables::new,
        stage -> {
          FaultsBench bench = new FaultsBench(report, stage, "nftables", SERVICES);
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
    for (Program program : programs()) {
      for (int rate : CHANGES_A_SECOND) {
        for (String fault : faults()) {
          measure(program, rate, fault, rate == 0 ? QUIET_REPAIR_SECONDS : REPAIR_SECONDS);
        }
      }
    }
  }

  /** With so many services kube-proxy takes minutes to begin, in iptables-nft more than ten. */
  private void measureMany() throws IOException, InterruptedException {
    for (int rate : new int[] {0, 50}) {
      for (String fault : OF_MANY) {
        measure(programs().getFirst(), rate, fault, REPAIR_SECONDS_OF_MANY);
      }
    }
  }

  /** Whether a row is measured; the services are there when the first one is. */
  private boolean isWanted(String row) {
    if (row.contains(ONLY)) {
      report.progress(row);
      if (!loaded) {
        loaded = true;
        stage.load(0, services);
      }
      return true;
    }
    return false;
  }

  private void measure(Program program, int rate, String what, double target)
      throws IOException, InterruptedException {
    String row =
        "%s, %,d services, %s, %s: %s"
            .formatted(
                kernel, services, what, rate == 0 ? "quiet" : rate + " changes/s", program.name);
    if (!isWanted(row)) {
      return;
    }
    AtomicBoolean done = new AtomicBoolean();
    try (Daemon _ = started(program)) {
      Thread changing = Thread.ofPlatform().start(() -> change(rate, done));
      try {
        TimeUnit.SECONDS.sleep(5);
        Fault fault = fault(program, what);
        long before = lines(fault.listing);
        if (before < 2) {
          throw new IllegalStateException(row + ": there is nothing to remove");
        }
        BenchNamespace.run(stage.namespace().inside(fault.removal.toArray(String[]::new)), "");
        double seconds = await(() -> lines(fault.listing) >= before);
        tell(row, seconds, program, target);
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
    daemon.await(() -> stage.rules().services(table) >= services);
    return daemon;
  }

  private List<String> faults() {
    return kernel.equals("nftables")
        ? List.of("table deleted", "services flushed", "prerouting flushed")
        : List.of(
            "KUBE-SERVICES flushed",
            "KUBE-NODEPORTS flushed",
            "KUBE-FORWARD of filter flushed",
            "jump deleted",
            "rule deleted");
  }

  private Fault fault(Program program, String what) {
    String table = program.isOurs ? "portolan" : "kube-proxy";
    return switch (what) {
      case "table deleted" ->
          nftables(List.of("delete", "table", "ip", table), "map", table, "service-ips");
      case "services flushed" ->
          nftables(
              List.of("flush", "map", "ip", table, "service-ips"), "map", table, "service-ips");
      case "prerouting flushed" ->
          nftables(
              List.of("flush", "chain", "ip", table, "nat-prerouting"),
              "chain",
              table,
              "nat-prerouting");
      case "KUBE-SERVICES flushed" -> flushed("nat", "KUBE-SERVICES");
      case "KUBE-NODEPORTS flushed" -> flushed("nat", "KUBE-NODEPORTS");
      case "KUBE-FORWARD of filter flushed" -> flushed("filter", "KUBE-FORWARD");
      case "jump deleted" -> iptables("nat", "PREROUTING", "-D", "PREROUTING", "1");
      case "rule deleted" -> {
        String chain = chainOfAService();
        yield iptables("nat", chain, "-D", chain, "1");
      }
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static Fault nftables(List<String> removal, String kind, String table, String listed) {
    return new Fault(
        Stream.concat(Stream.of("nft"), removal.stream()).toList(),
        List.of("nft", "list", kind, "ip", table, listed));
  }

  private Fault flushed(String table, String chain) {
    return iptables(table, chain, "-F", chain);
  }

  private Fault iptables(String table, String chain, String... removal) {
    List<String> command = new ArrayList<>(List.of(kernel, "-w", "-t", table));
    List<String> listing = new ArrayList<>(command);
    command.addAll(List.of(removal));
    listing.addAll(List.of("-S", chain));
    return new Fault(command, listing);
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
    String what = "change after a connection became half-open: ";
    for (Program program : programs()) {
      if (isWanted(what + program.name)) {
        measureVanishingPackets(what + program.name, program, stage.plane().port());
      }
    }
    String ofBrain = what + "portolan, to its brain";
    if (!isWanted(ofBrain)) {
      return;
    }
    Process brain =
        new ProcessBuilder(stage.namespace().inside(brain()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      List<String> thin = new ArrayList<>(stage.ours());
      thin.add("--api=tcp://127.0.0.1:" + BRAIN_PORT);
      measureVanishingPackets(ofBrain, new Program("portolan", thin, true), BRAIN_PORT);
    } finally {
      brain.destroy();
      brain.waitFor();
    }
  }

  private String[] brain() {
    List<String> command = new ArrayList<>(stage.ours());
    command.removeLast();
    command.addAll(List.of("brain", "--from=kube", "--kubeconfig=" + stage.plane().kubeconfig()));
    command.addAll(List.of("--listen=tcp://127.0.0.1:" + BRAIN_PORT, "--insecure-loopback"));
    return command.toArray(String[]::new);
  }

  private void measureVanishingPackets(String row, Program program, int port)
      throws IOException, InterruptedException {
    try (Daemon daemon = started(program)) {
      daemon.await(stage::isQuiet);
      String table = program.isOurs ? "portolan" : "kube-proxy";
      String before = list(table);
      int changed = changed(before);
      String wanted = first(changed, before.contains(first(changed, 1)) ? 0 : 1);
      dropConnections(port);
      stage.change(changed);
      double seconds = await(() -> list(table).contains(wanted));
      tell(row, seconds, program, SILENCE_SECONDS);
    } finally {
      BenchNamespace.run(stage.namespace().inside("nft", "delete", "table", "ip", "hole"), "");
      stage.rules().flush();
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

  private void dropConnections(int port) {
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
