package dev.portolan.source.record;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures what recording costs: 10,000 services with 6 endpoints each, one endpoint changed at a
 * time, 50 changes per second. A program, since a test never asserts a time; its first argument is
 * the number of seconds.
 */
final class RecordingCost {
  private static final int SERVICES = 10_000;
  private static final int PER_SECOND = 50;

  private RecordingCost() {}

  /** Prints the CPU time of the writing thread, and what a call costs. */
  public static void main(String... args) throws Exception {
    int seconds = args.length == 0 ? 60 : Integer.parseInt(args[0]);
    Path folder = Files.createTempDirectory("recording-cost");
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    ClusterDelta.Builder all = ClusterDelta.builder();
    for (int i = 0; i < SERVICES; i++) {
      all.set(service(i)).set(slice(i, 0));
    }
    ClusterImage cluster = all.build().applyTo(ClusterImage.EMPTY);
    try (Recorder recorder =
        new Recorder(
            Samples.started(Instant.now()),
            () ->
                RecordingFolder.open(
                    folder,
                    new RecordingFolder.Bounds(64 << 20, Duration.ZERO),
                    InstantSource.system()),
            InstantSource.system(),
            warning -> System.err.println(warning))) {
      recorder.taken(cluster, 1, Map.of("services", "1"));
      while (!Files.isDirectory(folder) || bytes(folder) < SERVICES) {
        Thread.sleep(100);
      }
      Thread.sleep(1000);
      Recording recording = Recording.open(folder);
      System.out.printf("whole state: %,d bytes, ", recording.bytes());
      long id = id(threads);
      System.out.printf("%.0f ms of CPU%n", threads.getThreadCpuTime(id) / 1e6);
      long before = threads.getThreadCpuTime(id);
      long bytes = recording.bytes();
      long called = 0;
      long start = System.nanoTime();
      int changes = seconds * PER_SECOND;
      for (int i = 1; i <= changes; i++) {
        cluster =
            ClusterDelta.builder().set(slice(i * 7919 % SERVICES, i)).build().applyTo(cluster);
        long call = System.nanoTime();
        recorder.taken(cluster, i + 1, Map.of("services", "1", "endpointslices", "" + i));
        recorder.synced(i + 1, Duration.ofMillis(2), false, Optional.empty());
        called += System.nanoTime() - call;
        long due = start + i * 1_000_000_000L / PER_SECOND;
        Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      }
      long spent = threads.getThreadCpuTime(id) - before;
      System.out.printf(
          "%,d changes in %d s: %.0f us of CPU per change, %.2f %% of a core at %d per second;"
              + " a call takes %.1f us; %.0f bytes per change%n",
          changes,
          seconds,
          spent / 1e3 / changes,
          100.0 * spent / (System.nanoTime() - start),
          PER_SECOND,
          called / 1e3 / changes,
          (Recording.open(folder).bytes() - bytes) / (double) changes);
    }
  }

  private static long bytes(Path folder) {
    try {
      return Recording.open(folder).bytes();
    } catch (RecordingException e) {
      return 0;
    }
  }

  private static long id(ThreadMXBean threads) {
    for (long id : threads.getAllThreadIds()) {
      if (threads.getThreadInfo(id).getThreadName().equals("recorder")) {
        return id;
      }
    }
    throw new IllegalStateException("nothing records");
  }

  private static Service service(int i) {
    return Service.named("team-" + i % 100, "service-" + i)
        .clusterIps(List.of("10.96." + i / 250 + "." + (1 + i % 250)))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0, 8080)))
        .build();
  }

  private static EndpointSlice slice(int i, int version) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (int member = 0; member < 6; member++) {
      int pod = i * 6 + member + (member == 0 ? version * 61 : 0);
      members.add(
          new EndpointSlice.Member(
              List.of("10." + (128 + pod / 65_536 % 100) + "." + pod / 256 % 256 + "." + pod % 256),
              EndpointSlice.Conditions.READY,
              "node-" + pod % 500,
              "zone-" + pod % 3,
              List.of(),
              List.of(),
              "Pod team-" + i % 100 + "/service-" + i + "-" + Integer.toHexString(pod * 31_337)));
    }
    return new EndpointSlice(
        new NamespacedName("team-" + i % 100, "service-" + i + "-x7k2p"),
        "service-" + i,
        EndpointSlice.AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        Instant.ofEpochSecond(1_800_000_000L + version));
  }
}
