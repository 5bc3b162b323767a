package dev.portolan.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A heap that is too small is no bug, and there is something to do about it. */
class OutOfMemoryTest {
  @Test
  void theLimitAndTheRemedyAreSaid(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.yaml"), "# " + "x".repeat(60 << 20) + "\n");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "show",
                "--from",
                "file:" + file,
                "--node",
                "n1")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(70);
    assertThat(said)
        .contains("portolan: out of memory: the heap is limited to 3")
        .contains("set JAVA_TOOL_OPTIONS=-Xmx")
        .contains("[PORT-501]")
        .doesNotContain("internal error");
  }
}
