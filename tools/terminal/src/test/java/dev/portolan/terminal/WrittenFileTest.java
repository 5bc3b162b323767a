package dev.portolan.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command writes. */
final class WrittenFileTest {
  @TempDir private Path folder;

  private static void write(Path file, String text) {
    WrittenFile.createPrivate("--output", file.toString(), text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aPrivateFileIsReadableByItsOwnerOnlyAndNeverOverwritten() throws Exception {
    Path file = folder.resolve("bundle.zip");
    write(file, "first");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThatThrownBy(() -> write(file, "second"))
        .hasMessageContaining("already exists and is not overwritten");
    assertThat(file).hasContent("first");
    assertThat(folder.toFile().list()).containsExactly("bundle.zip");
  }

  @Test
  void aFolderThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> write(folder.resolve("none/bundle.zip"), ""))
        .hasMessageContaining("the folder does not exist; create it first");
  }
}
