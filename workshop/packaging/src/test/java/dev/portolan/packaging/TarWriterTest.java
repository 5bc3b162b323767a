package dev.portolan.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is what tar reads. */
final class TarWriterTest {
  @TempDir private Path folder;

  @Test
  void tarReadsIt() throws Exception {
    Path file = folder.resolve("it.tar");
    String longName = "a".repeat(90) + "/" + "b".repeat(95);
    try (TarWriter tar =
        new TarWriter(Files.newOutputStream(file), Instant.parse("2026-01-01T00:00:00Z"))) {
      tar.directory("tmp", 01777);
      tar.file("tmp/text", 0644, "hello\n".getBytes(UTF_8));
      tar.file(longName, 0755, "x".repeat(512).getBytes(UTF_8));
      tar.link("tmp/link", "text");
    }
    assertThat(
            Subprocess.output("env", "TZ=UTC", "tar", "--numeric-owner", "-tvf", file.toString()))
        .containsSubsequence(
            "drwxrwxrwt 0/0", "2026-01-01 00:00 tmp/\n",
            "-rw-r--r-- 0/0", " 6 2026-01-01 00:00 tmp/text\n",
            "-rwxr-xr-x 0/0", " 512 2026-01-01 00:00 " + longName + "\n",
            "lrwxrwxrwx 0/0", " 0 2026-01-01 00:00 tmp/link -> text\n");
    assertThat(Subprocess.output("tar", "-xOf", file.toString(), "tmp/text")).isEqualTo("hello\n");
  }
}
