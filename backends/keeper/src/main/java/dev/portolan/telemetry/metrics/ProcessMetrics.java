package dev.portolan.telemetry.metrics;

import dev.portolan.core.error.Failures;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What the process is and uses, read from {@code /proc} and the virtual machine when asked for. */
public final class ProcessMetrics {
  /** How Linux counts time in {@code stat}, whatever the kernel's own tick is. */
  private static final double TICKS_A_SECOND = 100;

  private static final long KILOBYTE = 1024;

  private final MetricRegistry registry;
  private final Path process;

  private ProcessMetrics(MetricRegistry registry, Path proc) {
    this.registry = registry;
    this.process = proc.resolve("self");
  }

  /** Registers what is known of this process; where there is no {@code /proc}, less is shown. */
  public static void register(MetricRegistry registry) {
    register(registry, Path.of("/proc"));
  }

  static void register(MetricRegistry registry, Path proc) {
    ProcessMetrics metrics = new ProcessMetrics(registry, proc);
    metrics.process();
    metrics.heap();
    registry.read(
        "portolan_unexpected_failures_total",
        samples ->
            new TreeMap<>(Failures.ofProcess().counts())
                .forEach((place, count) -> samples.add(count, place)));
  }

  /** Shows what was built. */
  public static void build(MetricRegistry registry, BuildInfo build) {
    registry
        .gauges("kubernetes_build_info")
        .with(
            build.buildDate(),
            build.compiler(),
            build.gitCommit(),
            build.gitTreeState(),
            build.gitVersion(),
            build.runtime(),
            build.major(),
            build.minor(),
            build.platform())
        .set(1);
  }

  /**
   * Where features are shown; each gets its stage: {@code ALPHA}, {@code BETA}, {@code DEPRECATED},
   * or nothing for one that is generally available.
   */
  public static Family<Gauge> features(MetricRegistry registry) {
    return registry.gauges("kubernetes_feature_enabled");
  }

  private void process() {
    read("process_cpu_seconds_total", () -> seconds(stat(13), stat(14)));
    ProcessHandle.current()
        .info()
        .startInstant()
        .ifPresent(
            start -> registry.gauge("process_start_time_seconds").set(start.toEpochMilli() / 1e3));
    read("process_resident_memory_bytes", () -> times(status("VmRSS:"), KILOBYTE));
    read("process_virtual_memory_bytes", () -> times(status("VmSize:"), KILOBYTE));
    read("process_threads", () -> times(status("Threads:"), 1));
    read("process_open_fds", this::openFiles);
    read("process_max_fds", () -> times(number(process.resolve("limits"), "Max open files"), 1));
  }

  private void heap() {
    Runtime machine = Runtime.getRuntime();
    registry.read(
        "jvm_memory_used_bytes",
        samples -> samples.add(machine.totalMemory() - machine.freeMemory(), "heap"));
    registry.read(
        "jvm_memory_committed_bytes", samples -> samples.add(machine.totalMemory(), "heap"));
    registry.read("jvm_memory_max_bytes", samples -> samples.add(machine.maxMemory(), "heap"));
  }

  /** Registers a value that is left out while it is not a number. */
  private void read(String name, Supplier<Double> value) {
    registry.read(
        name,
        samples -> {
          double known = value.get();
          if (!Double.isNaN(known)) {
            samples.add(known);
          }
        });
  }

  private static double seconds(OptionalLong user, OptionalLong system) {
    return user.isPresent() && system.isPresent()
        ? (user.getAsLong() + system.getAsLong()) / TICKS_A_SECOND
        : Double.NaN;
  }

  private static double times(OptionalLong number, long unit) {
    return number.isPresent() ? (double) number.getAsLong() * unit : Double.NaN;
  }

  private double openFiles() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      int count = 0;
      for (Path _ : files) {
        count++;
      }
      return count;
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** A field of {@code stat}, counted from 0; the second one, a name, may hold spaces. */
  private OptionalLong stat(int field) {
    try {
      String text = Files.readString(process.resolve("stat"));
      List<String> fields = List.of(text.substring(text.lastIndexOf(')') + 2).split(" ", -1));
      return OptionalLong.of(Long.parseLong(fields.get(field - 2).strip()));
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
      return OptionalLong.empty();
    }
  }

  private OptionalLong status(String key) {
    return number(process.resolve("status"), key);
  }

  /** The first number in the line that begins with {@code key}. */
  private static OptionalLong number(Path file, String key) {
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(key)) {
          return OptionalLong.of(
              Long.parseLong(line.substring(key.length()).strip().split(" ", 2)[0]));
        }
      }
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
    return OptionalLong.empty();
  }
}
