package dev.portolan.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read from a real kernel. */
final class KernelFilesTest {
  private final KernelFiles files = new KernelFiles(Optional.empty());

  @Test
  void aSettingOfSeveralDigitsIsReadWhole() throws Exception {
    Process program = new ProcessBuilder("cat", "/proc/sys/kernel/pid_max").start();
    String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(files.sysctl("kernel.pid_max")).hasValue(Long.parseLong(printed.strip()));
    assertThat(printed.strip()).hasSizeGreaterThan(1);
  }

  @Test
  void aLongFileIsReadWhole() {
    assertThat(files.lines("/proc/self/maps").orElseThrow()).hasSizeGreaterThan(100);
  }

  @Test
  void aFileThatIsNotThereIsNothing() {
    assertThat(files.sysctl("net.no_such_setting")).isEmpty();
  }
}
