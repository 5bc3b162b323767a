package dev.portolan.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.ParsedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessMetricsTest {
  @Test
  void theProcessIsReadFromProc(@TempDir Path proc) throws IOException {
    Path self = Files.createDirectories(proc.resolve("self/fd")).getParent();
    Files.createFile(self.resolve("fd/0"));
    Files.createFile(self.resolve("fd/1"));
    Files.writeString(
        self.resolve("stat"),
        "7 (a ) name) S 1 7 7 0 -1 4194304 1 2 3 4 150 50 0 0 20 0 12 0 100 1000 20 1\n");
    Files.writeString(
        self.resolve("status"), "Name:\tx\nVmSize:\t  2000 kB\nVmRSS:\t   300 kB\nThreads:\t12\n");
    Files.writeString(
        self.resolve("limits"),
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max open files            1024                 524288               files
        """);
    MetricRegistry registry = new MetricRegistry();
    ProcessMetrics.register(registry, proc);

    Map<String, ParsedText.Parsed> shown = ParsedText.parse(registry.text());
    assertThat(shown.get("process_cpu_seconds_total").only()).isEqualTo(2);
    assertThat(shown.get("process_resident_memory_bytes").only()).isEqualTo(300 * 1024);
    assertThat(shown.get("process_virtual_memory_bytes").only()).isEqualTo(2000 * 1024);
    assertThat(shown.get("process_threads").only()).isEqualTo(12);
    assertThat(shown.get("process_open_fds").only()).isEqualTo(2);
    assertThat(shown.get("process_max_fds").only()).isEqualTo(1024);
    assertThat(shown.get("jvm_memory_used_bytes").at("", "area=heap")).isPositive();
  }

  @Test
  void whatCannotBeReadIsLeftOut(@TempDir Path nothing) {
    MetricRegistry registry = new MetricRegistry();
    ProcessMetrics.register(registry, nothing);

    Map<String, ParsedText.Parsed> shown = ParsedText.parse(registry.text());
    assertThat(shown).doesNotContainKey("process_open_fds").doesNotContainKey("process_max_fds");
    assertThat(shown).containsKey("jvm_memory_max_bytes");
  }
}
