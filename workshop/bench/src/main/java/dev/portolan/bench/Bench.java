package dev.portolan.bench;

import dev.portolan.bench.daemon.DaemonRules;
import dev.portolan.bench.kit.Report;
import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs the measurements named on the command line, or all of them, and prints a table of each. */
public final class Bench {
  private static final Map<String, Suite> SUITES = new LinkedHashMap<>();

  /** For a process that is one of several runs: the one that started it reads the figures. */
  private static final String LINES = "portolan.bench.lines";

  static {
    SUITES.put("brain", BrainBench::run);
    SUITES.put("diff", DiffBench::run);
    SUITES.put("audit", AuditBench::run);
    SUITES.put("file", FileBench::run);
    SUITES.put("commands", CommandsBench::run);
    SUITES.put("nftables", NftablesBench::run);
    SUITES.put("counters", FirstPacketTime::counters);
    SUITES.put("iptables", IptablesBench::run);
    SUITES.put("ipvs", IpvsBench::run);
    SUITES.put("ebpf", EbpfBench::run);
    SUITES.put("connect", ConnectBench::run);
    SUITES.put("userspace", UserspaceBench::run);
    SUITES.put("api", ApiBench::run);
    SUITES.put("growth", GrowthBench::run);
    SUITES.put("sizes", SizesBench::run);
    SUITES.put("balancing", BalancingBench::run);
    SUITES.put("daemon", report -> DaemonBench.run(report, DaemonRules.InNftables::new));
    SUITES.put("memory", MemoryBench::run);
    SUITES.put("record", DaemonBench::recording);
    SUITES.put("faults", FaultsBench::run);
    SUITES.put("fleet", FleetBench::run);
  }

  private Bench() {}

  /** Adds rows to a report; what it throws ends everything, after the rows that there are. */
  private interface Suite {
    void run(Report report) throws Exception;
  }

  /** Measures; ends with 2 where a name is not known. */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    List<String> unknown = Arrays.stream(args).filter(name -> !SUITES.containsKey(name)).toList();
    if (!unknown.isEmpty()) {
      System.err.println(
          "bench: no measurement named "
              + String.join(", ", unknown)
              + "; there are: "
              + String.join(", ", SUITES.keySet()));
      System.exit(2);
    }
    boolean isOneOfSeveral = Boolean.getBoolean(LINES);
    int runs = isOneOfSeveral ? 1 : variable("BENCH_RUNS", 1);
    for (Map.Entry<String, Suite> suite : SUITES.entrySet()) {
      if (args.length == 0 || List.of(args).contains(suite.getKey())) {
        Report report = new Report(suite.getKey());
        try {
          if (runs > 1) {
            report.addMedians(several(suite.getKey(), runs));
          } else {
            suite.getValue().run(report);
          }
        } finally {
          report.print(isOneOfSeveral);
        }
      }
    }
  }

  /** What each of several processes, one after the other, measured. */
  private static List<List<String>> several(String name, int runs)
      throws IOException, InterruptedException {
    List<String> options =
        new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-D" + LINES + "=true"));
    List<List<String>> lines = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      Process run =
          new ProcessBuilder(OwnJvm.words(options, Bench.class, name))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      lines.add(run.inputReader(StandardCharsets.UTF_8).lines().toList());
      if (run.waitFor() != 0) {
        throw new IllegalStateException("run " + (i + 1) + " of " + name + " failed");
      }
    }
    return lines;
  }

  /** A number from the environment. */
  static int variable(String name, int otherwise) {
    return Integer.parseInt(System.getenv().getOrDefault(name, "" + otherwise));
  }

  /** Fails where what is measured does not do what it should. */
  static void require(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("the measured code gave a wrong result");
    }
  }
}
