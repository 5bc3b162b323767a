package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.source.record.RecordingFolder.Bounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ring of parts. */
final class RecordingFolderTest {
  private static final Bounds SMALL = new Bounds(64 << 10, Duration.ZERO);

  @TempDir private Path folder;
  private Instant now = Samples.BEGIN;

  /** How wrong the clock is. */
  private Duration skew = Duration.ZERO;

  private RecordingFolder open(Bounds bounds) {
    return RecordingFolder.open(
        folder, bounds, () -> now.plus(skew), () -> Duration.between(Samples.BEGIN, now).toNanos());
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static List<RecordedEvent.State> states(List<RecordedEvent> events) {
    return events.stream()
        .filter(RecordedEvent.State.class::isInstance)
        .map(RecordedEvent.State.class::cast)
        .toList();
  }

  @Test
  void itNeverHasMoreBytesThanAllowedAndTheNewestStaysReadable() throws IOException {
    List<RecordedEvent> events = Samples.events(3, 3000);
    List<RecordedEvent> kept = Samples.kept(events);
    try (RecordingFolder recording = open(SMALL)) {
      for (RecordedEvent event : events) {
        now = event.time();
        recording.write(event);
        assertThat(recording.bytes()).isLessThanOrEqualTo(SMALL.bytes());
      }
      assertThat(bytes()).isEqualTo(recording.bytes());
    }
    assertThat(Recording.open(folder).files()).hasSizeBetween(4, 9);
    List<RecordedEvent> read = Samples.read(folder);
    assertThat(read.getFirst()).isInstanceOf(RecordedEvent.Started.class);
    assertThat(read.stream().filter(RecordedEvent.Started.class::isInstance)).hasSize(1);
    // Parts begin with the state before; everything else is as it was written, without a gap.
    List<RecordedEvent> changes =
        read.stream()
            .skip(2)
            .filter(event -> !(event instanceof RecordedEvent.State state) || state.changed())
            .toList();
    assertThat(changes)
        .isEqualTo(kept.subList(kept.size() - changes.size(), kept.size()))
        .hasSizeGreaterThan(500);
  }

  @Test
  void whatIsTooOldIsDeleted() {
    Duration age = Duration.ofMinutes(10);
    List<RecordedEvent> events = Samples.events(4, 3600);
    try (RecordingFolder recording = open(new Bounds(1 << 30, age))) {
      for (RecordedEvent event : events) {
        now = event.time();
        recording.write(event);
      }
    }
    List<RecordedEvent.State> states = states(Samples.read(folder));
    Duration oldest = Duration.between(states.getFirst().time(), now);
    assertThat(oldest)
        .isBetween(age.multipliedBy(7).dividedBy(8), age.multipliedBy(5).dividedBy(4));
  }

  @Test
  void aClockThatJumpsDeletesNothing() {
    Duration age = Duration.ofMinutes(10);
    List<RecordedEvent> events = Samples.events(4, 1200);
    try (RecordingFolder recording = open(new Bounds(1 << 30, age))) {
      for (RecordedEvent event : events) {
        now = event.time();
        long second = Duration.between(Samples.BEGIN, now).toSeconds();
        skew = Duration.ofDays(second < 600 ? 0 : second < 900 ? 3650 : -5);
        recording.write(event);
      }
      assertThat(Recording.open(folder).files())
          .as("as many eighths as without a jump")
          .hasSizeBetween(8, 11);
    }
    List<RecordedEvent.State> states = states(Samples.read(folder));
    assertThat(Duration.between(states.getFirst().time(), now))
        .isBetween(age.multipliedBy(7).dividedBy(8), age.multipliedBy(5).dividedBy(4));
  }

  @Test
  void aClockThatIsFarAheadAtAStartDeletesNothing() {
    Duration age = Duration.ofMinutes(10);
    Bounds bounds = new Bounds(1 << 30, age);
    List<RecordedEvent> events = Samples.events(4, 450);
    List<Path> before;
    try (RecordingFolder recording = open(bounds)) {
      for (RecordedEvent event : events) {
        now = event.time();
        recording.write(event);
      }
      before = Recording.open(folder).files();
    }
    skew = Duration.ofDays(3650);
    for (int start = 0; start < 2; start++) {
      try (RecordingFolder recording = open(bounds)) {
        Samples.write(recording, events.subList(0, 2));
        assertThat(Recording.open(folder).files()).containsAll(before);
        Instant end = now.plus(age.multipliedBy(start * 2L));
        while (now.isBefore(end)) {
          now = now.plusSeconds(30);
          recording.alive(now.plus(skew));
        }
      }
    }
    assertThat(Recording.open(folder).files()).doesNotContainAnyElementsOf(before);
  }

  @Test
  void whatAnOlderVersionLeftReadableIsNotAnyMore() throws IOException {
    open(SMALL).close();
    Path part = Files.createFile(folder.resolve("20261117T031200.000Z.rec"));
    Path other = Files.createFile(folder.resolve("mine.rec"));
    Path lock = folder.resolve(".lock");
    for (Path file : List.of(part, other, lock)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }
    open(SMALL).close();
    assertThat(List.of(part, lock)).allMatch(file -> rights(file).equals("rw-------"));
    assertThat(rights(other)).isEqualTo("rw-r--r--");
    RecordingWriter.append(other).close();
    assertThat(rights(other)).isEqualTo("rw-------");
  }

  @Test
  void onlyItsOwnerMayReadARecording() throws IOException {
    Path own = folder.resolve("deeper/own");
    try (RecordingFolder recording = RecordingFolder.open(own, SMALL, () -> now)) {
      Samples.write(recording, Samples.events(1, 5));
    }
    try (RecordingWriter writer = RecordingWriter.create(own.resolve("x.rec"));
        RecordingWriter appended = RecordingWriter.append(own.resolve("y.rec"))) {
      writer.write(Samples.started(now));
      appended.write(Samples.started(now));
    }
    assertThat(rights(own)).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(own)) {
      assertThat(files).hasSize(4).allMatch(file -> rights(file).equals("rw-------"));
    }
  }

  private static String rights(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFolderThatIsRemovedIsMadeAgain() throws IOException {
    List<RecordedEvent> events = Samples.events(1, 5);
    Path own = folder.resolve("own");
    try (RecordingFolder recording = RecordingFolder.open(own, SMALL, () -> now)) {
      Samples.write(recording, events);
      try (Stream<Path> files = Files.list(own)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(own);
      assertThatThrownBy(() -> recording.alive(now))
          .isInstanceOf(RecordingException.class)
          .hasMessageMatching(".*/own/.*\\.rec was removed while it was written");
      recording.alive(now);
      assertThatThrownBy(() -> RecordingFolder.open(own, SMALL, () -> now))
          .hasMessageContaining("is in use");
    }
    assertThat(states(Samples.read(own)))
        .singleElement()
        .satisfies(state ->
            assertThat(state.cluster())
                .isEqualTo(states(Samples.kept(events)).getLast().cluster()));
  }

  @Test
  void severalStartsAddTheirParts() {
    List<RecordedEvent> all = new ArrayList<>();
    for (int start = 0; start < 3; start++) {
      now = Samples.BEGIN; // A clock may be set back.
      List<RecordedEvent> events = Samples.events(start, 5);
      try (RecordingFolder recording = open(SMALL)) {
        Samples.write(recording, events);
      }
      all.addAll(Samples.kept(events));
    }
    assertThat(Samples.read(folder)).isEqualTo(all);
    assertThat(Recording.open(folder).index().runs()).hasSize(3);
  }

  @Test
  void otherFilesAreLeftAlone() throws IOException {
    Path other = Files.writeString(folder.resolve("mine.rec"), "x".repeat(100_000));
    try (RecordingFolder recording = open(SMALL)) {
      Samples.write(recording, Samples.events(5, 2000));
    }
    assertThat(other).exists();
  }

  @Test
  void aSecondProcessIsRefused() {
    try (RecordingFolder _ = open(SMALL)) {
      assertThatThrownBy(() -> open(SMALL))
          .hasMessage(
              folder
                  + " is in use: another process records into it; end that one, or use another"
                  + " path");
    }
    open(SMALL).close();
  }

  @Test
  void aPartThatIsCutOffDoesNotHideTheNext() throws IOException {
    List<RecordedEvent> first = Samples.events(1, 5);
    try (RecordingFolder recording = open(SMALL)) {
      Samples.write(recording, first);
    }
    Path part = Recording.open(folder).files().getFirst();
    byte[] all = Files.readAllBytes(part);
    Files.write(part, java.util.Arrays.copyOf(all, all.length - 3));
    List<RecordedEvent> second = Samples.events(2, 5);
    try (RecordingFolder recording = open(SMALL)) {
      Samples.write(recording, second);
    }
    List<RecordedEvent> read = new ArrayList<>();
    String damage = Recording.open(folder).read(read::add);
    assertThat(damage).startsWith(part.getFileName() + ": cut off after entry ");
    List<RecordedEvent> expected =
        new ArrayList<>(Samples.kept(first).subList(0, first.size() - 1));
    expected.addAll(Samples.kept(second));
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void aStateThatIsTooLargeIsRefusedWithTheRemedy() {
    try (RecordingFolder recording = open(SMALL)) {
      recording.write(Samples.started(now));
      assertThatThrownBy(() -> recording.write(Samples.large(20_000)))
          .hasMessageMatching(".*(cannot hold|has no room).*give it a larger --record-size.*");
    }
  }
}
