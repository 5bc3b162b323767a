package dev.portolan.bench;

import dev.portolan.bench.daemon.Daemon;
import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.daemon.DaemonStage;
import dev.portolan.bench.daemon.DaemonStage.Program;
import dev.portolan.bench.kit.BenchNamespace;
import dev.portolan.bench.kit.Report;
import dev.portolan.bench.kit.SteadyChanges;
import dev.portolan.bench.kit.SyntheticCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
  private record Fault(String removal, String listing) {}

  private FaultsBench(Report report, DaemonStage stage, String kernel, int services) {
    this.report = report;
    this.stage = stage;
    this.kernel = kernel;
    this.services = services;
  }

  static void run(Report report) throws IOException, InterruptedException {
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
    return Stream.concat(Stream.of(stage.ours()), stage.peer().stream()).toList();
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
                kernel, services, what, rate == 0 ? "quiet" : rate + " changes/s", program.name());
    if (!isWanted(row)) {
      return;
    }
    try (Daemon _ = stage.start(program, services);
        SteadyChanges _ = new SteadyChanges(rate, 0, i -> stage.change(i * 7 % CHANGED))) {
      TimeUnit.SECONDS.sleep(5);
      Fault fault = fault(program.name(), what);
      long before = lines(fault.listing);
      if (before < 2) {
        throw new IllegalStateException(row + ": there is nothing to remove");
      }
      inside(fault.removal);
      double seconds = await(() -> lines(fault.listing) >= before);
      tell(row, seconds, program, target);
    }
  }

  /** Runs a command on the node; returns what it prints. */
  private String inside(String command) {
    return BenchNamespace.run(stage.namespace().inside(command.split(" ", -1)), "");
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

  private Fault fault(String table, String what) {
    String services = "nft list map ip " + table + " service-ips";
    return switch (what) {
      case "table deleted" -> new Fault("nft delete table ip " + table, services);
      case "services flushed" -> new Fault("nft flush map ip " + table + " service-ips", services);
      case "prerouting flushed" ->
          new Fault(
              "nft flush chain ip " + table + " nat-prerouting",
              "nft list chain ip " + table + " nat-prerouting");
      case "KUBE-SERVICES flushed" -> iptables("nat", "KUBE-SERVICES", "-F KUBE-SERVICES");
      case "KUBE-NODEPORTS flushed" -> iptables("nat", "KUBE-NODEPORTS", "-F KUBE-NODEPORTS");
      case "KUBE-FORWARD of filter flushed" ->
          iptables("filter", "KUBE-FORWARD", "-F KUBE-FORWARD");
      case "jump deleted" -> iptables("nat", "PREROUTING", "-D PREROUTING 1");
      case "rule deleted" -> {
        String chain = chainOfAService();
        yield iptables("nat", chain, "-D " + chain + " 1");
      }
      default -> throw new IllegalArgumentException(what);
    };
  }

  private Fault iptables(String table, String chain, String removal) {
    String command = kernel + " -w -t " + table + " ";
    return new Fault(command + removal, command + "-S " + chain);
  }

  /** That of a service that does not change meanwhile. */
  private String chainOfAService() {
    return inside(kernel + "-save -t nat")
        .lines()
        .filter(line -> line.startsWith("-A KUBE-SVC-") && line.contains(UNCHANGED))
        .map(line -> line.split(" ", 3)[1])
        .findFirst()
        .orElseThrow();
  }

  /** How many lines a command prints; none where what it lists does not exist. */
  private long lines(String listing) {
    try {
      return inside(listing).lines().count();
    } catch (IllegalStateException e) {
      return 0;
    }
  }

  /** The packets of the connections that are open vanish; new ones work. */
  private void measureVanishingPackets() throws IOException, InterruptedException {
    String what = "change after a connection became half-open: ";
    for (Program program : programs()) {
      if (isWanted(what + program.name())) {
        measureVanishingPackets(what + program.name(), program, stage.plane().port());
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
      Program thin = stage.ours("--api=tcp://127.0.0.1:" + BRAIN_PORT);
      measureVanishingPackets(ofBrain, thin, BRAIN_PORT);
    } finally {
      brain.destroy();
      brain.waitFor();
    }
  }

  private String[] brain() {
    List<String> command = new ArrayList<>(stage.ours().command());
    command.removeLast();
    command.addAll(List.of("brain", "--from=kube", "--kubeconfig=" + stage.plane().kubeconfig()));
    command.addAll(List.of("--listen=tcp://127.0.0.1:" + BRAIN_PORT, "--insecure-loopback"));
    return command.toArray(String[]::new);
  }

  private void measureVanishingPackets(String row, Program program, int port)
      throws IOException, InterruptedException {
    String list = "nft list table ip " + program.name();
    try (Daemon daemon = stage.start(program, services)) {
      daemon.await(stage::isQuiet);
      String before = inside(list);
      int changed = changed(before);
      String wanted = first(changed, before.contains(first(changed, 1)) ? 0 : 1);
      dropConnections(port);
      stage.change(changed);
      double seconds = await(() -> inside(list).contains(wanted));
      tell(row, seconds, program, SILENCE_SECONDS);
      inside("nft delete table ip hole");
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

  private void dropConnections(int port) {
    StringBuilder rules =
        new StringBuilder("add table ip hole; add chain ip hole out")
            .append(" { type filter hook output priority -300; }\n");
    inside("ss -tnH dport = :" + port)
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
    if (program.isOurs()) {
      report.atMost(what, Math.min(seconds, LIMIT_SECONDS), target, "s");
    } else if (Double.isInfinite(seconds)) {
      report.value(what + ", not within", LIMIT_SECONDS, "s");
    } else {
      report.value(what, seconds, "s");
    }
  }
}
