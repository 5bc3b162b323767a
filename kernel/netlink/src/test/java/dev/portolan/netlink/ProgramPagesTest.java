package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The memory of files goes down, and what it held can still be used. */
final class ProgramPagesTest {
  @Test
  void pagesThatAreNotUsedAreGivenBackAndTheOthersComeAgain() throws IOException {
    long before = fileKilobytes();
    ProgramPages.giveBack();
    assertThat(fileKilobytes()).isLessThan(before);
    assertThat(String.format("%,d %s", 1_000, getClass().getSimpleName()))
        .isEqualTo("1,000 ProgramPagesTest");
  }

  private static long fileKilobytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("RssFile:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }
}
