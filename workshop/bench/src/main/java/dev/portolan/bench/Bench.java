package dev.portolan.bench;

import dev.portolan.bench.kit.Report;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs the measurements named on the command line, or all of them, and prints a table of each. */
public final class Bench {
  private static final Map<String, Consumer<Report>> SUITES = new LinkedHashMap<>();

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
    SUITES.put("daemon", DaemonBench::run);
    SUITES.put("memory", MemoryBench::run);
    SUITES.put("record", DaemonBench::recording);
    SUITES.put("faults", FaultsBench::run);
    SUITES.put("fleet", FleetBench::run);
  }

  private Bench() {}

  /** Measures; ends with 2 where a name is not known. */
  public static void main(String[] args) {
    List<String> unknown = Arrays.stream(args).filter(name -> !SUITES.containsKey(name)).toList();
    if (!unknown.isEmpty()) {
      System.err.println(
          "bench: no measurement named "
              + String.join(", ", unknown)
              + "; there are: "
              + String.join(", ", SUITES.keySet()));
      System.exit(2);
    }
    SUITES.forEach((name, suite) -> {
      if (args.length == 0 || Arrays.asList(args).contains(name)) {
        Report report = new Report(name);
        try {
          suite.accept(report);
        } finally {
          report.print();
        }
      }
    });
  }
}
