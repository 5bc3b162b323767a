package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.OwnJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A heap that is too small is reported with a remedy, not as a bug. */
class OutOfMemoryTest {
  @Test
  void theLimitAndTheRemedyAreSaid(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.yaml"), "# " + "x".repeat(60 << 20) + "\n");
    OwnJvm.Ended ended =
        OwnJvm.run(
            List.of("-XX:+UseSerialGC", "-Xmx32m"),
            Main.class,
            "show",
            "--from",
            "file:" + file,
            "--node",
            "n1");
    assertThat(ended.status()).as(ended.said()).isEqualTo(70);
    assertThat(ended.said())
        .contains("portolan: out of memory: the heap is limited to 3")
        .contains("set JAVA_TOOL_OPTIONS=-Xmx")
        .contains("[PORT-501]")
        .doesNotContain("internal error");
  }
}
