package dev.portolan.bench.kit;

import dev.portolan.backend.ipvs.IpvsBackend;
import dev.portolan.backend.ipvs.IpvsOptions;
import dev.portolan.backend.nftables.NftablesBackend;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.core.backend.Backend;
import dev.portolan.testbase.OwnJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a fresh JVM needs to write a cluster for the first time, in a process of its own.
 *
 * @param millis the sync alone
 * @param processorSeconds the process until then
 * @param resident megabytes then
 * @param heap megabytes of it that live after a collection
 * @param collected megabytes that are resident after it
 */
public record ColdStart(
    double millis, double processorSeconds, double resident, double heap, double collected) {
  /** Starts one in {@code namespace}; {@code options} are those of the JVM. */
  public static ColdStart measure(
      String mode, Path namespace, SyntheticCluster cluster, String... options) {
    String said =
        OwnJvm.run(
                Stream.concat(
                        Stream.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"),
                        Stream.of(options))
                    .toList(),
                ColdStart.class,
                mode,
                namespace.toString(),
                Integer.toString(cluster.services()),
                Integer.toString(cluster.endpoints()))
            .orThrow();
    List<Double> figures = Arrays.stream(said.strip().split(" ", -1)).map(Double::valueOf).toList();
    return new ColdStart(
        figures.get(0), figures.get(1), figures.get(2), figures.get(3), figures.get(4));
  }

  /** The process: writes once and prints the figures. */
  public static void main(String[] args) throws IOException {
    ProcessFigures self = ProcessFigures.self();
    BenchNode node =
        new BenchNode(
            new SyntheticCluster(Integer.parseInt(args[2]), Integer.parseInt(args[3]), 100).all());
    Optional<Path> namespace = Optional.of(Path.of(args[1]));
    try (Backend backend =
        args[0].equals("ipvs")
            ? new IpvsBackend(IpvsOptions.DEFAULT.in(namespace))
            : new NftablesBackend(NftablesOptions.DEFAULT.in(namespace))) {
      double millis = node.start(backend) / 1e6;
      double processor = self.processorSeconds();
      double resident = self.residentSize();
      double heap = Samples.liveHeap();
      System.out.printf("%s %s %s %s %s%n", millis, processor, resident, heap, self.residentSize());
      backend.cleanup();
    }
  }
}
