package dev.portolan.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A demo that was killed leaves a folder, which the next one deletes. */
final class ShopFolderTest {
  @TempDir private Path parent;

  private Path folder(String name) throws Exception {
    Path folder = Files.createDirectory(parent.resolve(name));
    Files.writeString(folder.resolve("services.yaml"), "");
    return folder;
  }

  /** The number of a process that has just ended. */
  private static long gone() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  @Test
  void onlyFoldersOfProcessesThatAreGoneAreDeleted() throws Exception {
    Path stale = folder("portolan-demo-" + gone() + "-1234567890");
    Path living = folder("portolan-demo-" + ProcessHandle.current().pid() + "-1234567890");
    Path foreign = folder("portolan-demo-notes");
    ShopFolder.removeStale(parent);
    assertThat(stale).doesNotExist();
    assertThat(living.resolve("services.yaml")).exists();
    assertThat(foreign.resolve("services.yaml")).exists();
  }

  @Test
  void theNameSaysWhoseItIs() {
    try (ShopFolder folder = new ShopFolder()) {
      assertThat(folder.path().getFileName().toString())
          .startsWith("portolan-demo-" + ProcessHandle.current().pid() + "-");
    }
  }
}
