package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state of which one entry cannot hold everything. */
class LargeStateTest {
  @TempDir private Path folder;

  /** The cluster with services that take so many MiB. */
  private static RecordedEvent.State state(long revision, ClusterImage before, int mebibytes) {
    ClusterDelta.Builder delta = ClusterDelta.builder();
    for (int i = 0; i < mebibytes; i++) {
      delta.set(
          Service.named("ns", "x".repeat(1 << 20) + i)
              .clusterIps(List.of("10.0." + revision + "." + i))
              .build());
    }
    return new RecordedEvent.State(
        Samples.BEGIN.plusSeconds(revision),
        revision,
        revision > 1,
        delta.build().applyTo(before),
        Map.of("services", "" + revision));
  }

  @Test
  void itComesBackAsOne() {
    Path file = folder.resolve("a.rec");
    RecordedEvent.State first = state(1, ClusterImage.EMPTY, 70);
    RecordedEvent.State second = state(2, first.cluster(), 10);
    RecordedEvent.State third = state(3, ClusterImage.EMPTY, 1);
    List<RecordedEvent> events = List.of(Samples.started(Samples.BEGIN), first, second, third);
    try (RecordingWriter writer = RecordingWriter.create(file)) {
      Samples.write(writer, events);
    }
    assertThat(Samples.read(file)).isEqualTo(Samples.kept(events));
  }

  @Test
  void ofOneThatIsCutOffNothingIsRead() throws IOException {
    Path file = folder.resolve("a.rec");
    RecordedEvent.State large = state(2, ClusterImage.EMPTY, 12);
    List<RecordedEvent> events =
        List.of(Samples.started(Samples.BEGIN), state(1, ClusterImage.EMPTY, 1), large);
    try (RecordingWriter writer = RecordingWriter.create(file)) {
      Samples.write(writer, events);
    }
    List<Long> ends = new ArrayList<>();
    try (FrameReader reader = FrameReader.open(file)) {
      while (reader.next() != null) {
        ends.add(reader.good());
      }
    }
    assertThat(ends).hasSizeGreaterThan(4);
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.truncate(ends.get(ends.size() - 2));
    }
    List<RecordedEvent> expected = new ArrayList<>(Samples.kept(events.subList(0, 2)));
    assertThat(Samples.read(file)).isEqualTo(expected);
    assertThat(Recording.open(file).index().runs())
        .singleElement()
        .returns(1L, RecordingIndex.Run::last);

    try (RecordingWriter writer = RecordingWriter.append(file)) {
      Samples.write(writer, events);
    }
    expected.addAll(Samples.kept(events));
    assertThat(Samples.read(file)).isEqualTo(expected);
  }
}
