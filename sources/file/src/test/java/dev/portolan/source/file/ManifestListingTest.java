package dev.portolan.source.file;

import static dev.portolan.source.file.ManifestListing.SETTLED;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When files that are being written count as complete. */
class ManifestListingTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
  private static final Instant CHANGE = START.plusSeconds(60);

  @TempDir private Path folder;
  private ManifestListing before;

  @BeforeEach
  void listOneFile() throws IOException {
    write("a.yaml", "one\n", START);
    before = ManifestListing.of(folder);
  }

  private Path write(String name, String text, Instant modified) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setLastModifiedTime(file, FileTime.from(modified));
    return file;
  }

  private Duration settlesIn(Duration age) {
    return ManifestListing.of(folder).settlesIn(before, CHANGE.plus(age));
  }

  @Test
  void aFileWrittenInPlaceIsCompleteWhenItWasNotWrittenToForAMoment() throws Exception {
    write("a.yaml", "half of", CHANGE);
    assertThat(settlesIn(Duration.ZERO)).isEqualTo(SETTLED);
    assertThat(settlesIn(Duration.ofMillis(200))).isEqualTo(SETTLED.minusMillis(200));
    assertThat(settlesIn(SETTLED)).isZero();
    assertThat(settlesIn(Duration.ofDays(1))).isZero();
  }

  @Test
  void aNewFileMayBeWrittenInPlaceToo() throws Exception {
    write("b.yaml", "half of", CHANGE);
    assertThat(settlesIn(Duration.ZERO)).isEqualTo(SETTLED);
  }

  @Test
  void ofSeveralFilesTheLastOneCounts() throws Exception {
    write("a.yaml", "half of", CHANGE.minusMillis(300));
    write("b.yaml", "half of", CHANGE);
    assertThat(settlesIn(Duration.ZERO)).isEqualTo(SETTLED);
  }

  @Test
  void aFileThatReplacesAnotherIsComplete() throws Exception {
    Path fresh = write("fresh", "all of it\n", CHANGE);
    Files.move(fresh, folder.resolve("a.yaml"), StandardCopyOption.ATOMIC_MOVE);
    assertThat(settlesIn(Duration.ZERO)).isZero();
  }

  @Test
  void aFileThatDidNotChangeIsComplete() {
    assertThat(ManifestListing.of(folder).settlesIn(before, START)).isZero();
  }

  @Test
  void aTimeInTheFutureIsNotWaitedFor() throws Exception {
    write("a.yaml", "all of it\n", CHANGE);
    assertThat(settlesIn(Duration.ofMillis(-1))).isZero();
  }

  @Test
  void whatCannotBeReadIsSaidWithItsRemedy() {
    assertThat(unreadable(new AccessDeniedException("shop")))
        .isEqualTo("shop: cannot be read (permission denied); check its permissions");
    assertThat(unreadable(new FileSystemException("shop", null, "Too many open files")))
        .isEqualTo(
            "shop: cannot be read (Too many open files); raise the limit of this process, as with"
                + " 'ulimit -n 1024'");
    assertThat(unreadable(new FileSystemException("shop", null, "Input/output error")))
        .endsWith("; check the path and its file system");
  }

  private static String unreadable(IOException e) {
    return String.valueOf(ManifestListing.unreadable(Path.of("shop"), e).getMessage());
  }
}
