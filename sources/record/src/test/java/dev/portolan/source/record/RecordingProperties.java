package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What must hold for every recording. */
class RecordingProperties {
  @Property(tries = 200)
  void whatIsWrittenComesBack(@ForAll long seed, @ForAll(min = 1, max = 60) int changes)
      throws IOException {
    Path file = Files.createTempFile("recording", ".rec");
    Files.delete(file);
    try {
      List<RecordedEvent> events = Samples.events(seed, changes);
      try (RecordingWriter writer = RecordingWriter.create(file)) {
        Samples.write(writer, events);
      }
      assertThat(Samples.read(file)).isEqualTo(Samples.kept(events));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Property(tries = 100)
  void nothingButTheLastEntryIsLostWhereverItIsCutOff(@ForAll long seed) throws IOException {
    Path file = Files.createTempFile("recording", ".rec");
    Files.delete(file);
    try {
      List<RecordedEvent> events = Samples.events(seed, 20);
      List<Long> ends = new ArrayList<>();
      try (RecordingWriter writer = RecordingWriter.create(file)) {
        for (RecordedEvent event : events) {
          writer.write(event);
          ends.add(writer.bytes());
        }
      }
      byte[] all = Files.readAllBytes(file);
      int cut = Math.floorMod(seed, all.length - Frames.FILE_HEADER) + Frames.FILE_HEADER;
      Files.write(file, java.util.Arrays.copyOf(all, cut));
      int whole = (int) ends.stream().filter(end -> end <= cut).count();

      List<RecordedEvent> read = new ArrayList<>();
      String damage = Recording.open(file).read(read::add);
      assertThat(read).isEqualTo(Samples.kept(events).subList(0, whole));
      boolean clean = cut == Frames.FILE_HEADER || ends.contains((long) cut);
      if (clean) {
        assertThat(damage).isEmpty();
      } else if (whole > 0) {
        long rest = cut - ends.get(whole - 1);
        assertThat(damage)
            .isEqualTo(
                "cut off after entry %d at %s; the rest, %d byte%s, cannot be read"
                    .formatted(whole, read.getLast().time(), rest, rest == 1 ? "" : "s"));
      } else {
        assertThat(damage).startsWith("cut off before its first entry");
      }

      List<RecordedEvent> more = Samples.events(seed + 1, 5);
      try (RecordingWriter writer = RecordingWriter.append(file)) {
        Samples.write(writer, more);
      }
      List<RecordedEvent> both = new ArrayList<>(Samples.kept(events).subList(0, whole));
      both.addAll(Samples.kept(more));
      assertThat(Samples.read(file)).isEqualTo(both);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Property(tries = 200)
  void aChangedByteIsNoticedAndNothingBeforeItIsLost(
      @ForAll long seed, @ForAll(min = 1, max = 255) int change) throws IOException {
    Path file = Files.createTempFile("recording", ".rec");
    Files.delete(file);
    try {
      List<RecordedEvent> events = Samples.events(seed, 12);
      List<Long> ends = new ArrayList<>();
      try (RecordingWriter writer = RecordingWriter.create(file)) {
        for (RecordedEvent event : events) {
          writer.write(event);
          ends.add(writer.bytes());
        }
      }
      byte[] all = Files.readAllBytes(file);
      int at = Math.floorMod(seed, all.length - Frames.FILE_HEADER) + Frames.FILE_HEADER;
      all[at] ^= (byte) change;
      Files.write(file, all);
      int whole = (int) ends.stream().filter(end -> end <= at).count();

      List<RecordedEvent> read = new ArrayList<>();
      String damage = Recording.open(file).read(read::add);
      assertThat(read).isEqualTo(Samples.kept(events).subList(0, whole));
      assertThat(damage)
          .containsAnyOf(
              "damaged at entry " + (whole + 1), "cut off after entry " + whole, "cut off before");
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
