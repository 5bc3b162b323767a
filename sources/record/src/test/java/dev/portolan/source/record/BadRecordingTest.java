package dev.portolan.source.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.portolan.api.v1.RecordingEntry;
import dev.portolan.core.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of bad recording gets its sentence. */
final class BadRecordingTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("shop.rec");
  }

  private void assertRefused(String sentence) {
    assertThatThrownBy(() -> Recording.open(file))
        .isInstanceOfSatisfying(
            RecordingException.class,
            e -> {
              assertThat(e.getMessage()).isEqualTo(file + sentence);
              assertThat(e.code()).isEqualTo(ErrorCode.RECORDING);
            });
  }

  private byte[] good() throws IOException {
    try (RecordingWriter writer = RecordingWriter.create(file)) {
      Samples.write(writer, Samples.events(7, 10));
    }
    return Files.readAllBytes(file);
  }

  @Test
  void aFileThatDoesNotExist() {
    assertRefused(" does not exist");
  }

  @Test
  void anEmptyFile() throws IOException {
    Files.createFile(file);
    assertRefused(" is empty: nothing was recorded, or the process ended before it could write");
  }

  @Test
  void anotherFile() throws IOException {
    Files.writeString(file, "apiVersion: v1\nkind: Service\n");
    assertRefused(
        " is not a recording: it does not start with 'PORTOLAN'; 'portolan record' makes one, and"
            + " so does a daemon with --record");
  }

  @Test
  void aHeaderThatIsCutOff() throws IOException {
    Files.writeString(file, "PORTO", StandardCharsets.US_ASCII);
    assertRefused(" is cut off in its header: it has no entry");
  }

  @Test
  void aNewerVersion() throws IOException {
    Files.write(file, ByteBuffer.wrap(good()).putInt(8, 3).array());
    assertRefused(
        " was written by a newer Portolan (format 3, this one reads up to 1); use that version");
  }

  @Test
  void aFolderWithoutParts() throws IOException {
    Files.createDirectory(file);
    Files.writeString(file.resolve("notes.rec"), "mine");
    assertRefused(" has no recording: no file in it is named like 20261117T031200.000Z.rec");
  }

  @Test
  void aRecordingWithoutAState() {
    try (RecordingWriter writer = RecordingWriter.create(file)) {
      writer.write(Samples.started(Samples.BEGIN));
    }
    assertThatThrownBy(() -> Recording.open(file).index())
        .hasMessage(
            file
                + " has no state of a cluster: the process that recorded ended before it knew one");
  }

  @Test
  void aRestThatWasNeverFilledInIsCutOff() throws IOException {
    byte[] all = good();
    Files.write(file, Arrays.copyOf(all, all.length + 4096));
    List<RecordedEvent> read = new ArrayList<>();
    assertThat(Recording.open(file).read(read::add))
        .startsWith("cut off after entry ")
        .endsWith("; the rest, 4096 bytes, cannot be read");
    assertThat(read).isEqualTo(Samples.kept(Samples.events(7, 10)));
  }

  @Test
  void aFrameThatInflatesToMoreThanAnyEntryIsDamaged() throws IOException {
    writeFrame(packed(new byte[1 << 20], 1 << 10));
    assertReadInLittleMemory();
  }

  /** Services, names of removed ones, and fields that are not known. */
  @ParameterizedTest
  @ValueSource(ints = {5, 9, 15})
  void anEntryOfMillionsOfEmptyObjectsIsDamaged(int field) throws IOException {
    byte[] objects = new byte[1 << 20];
    for (int i = 0; i < objects.length; i += 2) {
      objects[i] = (byte) (field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
    }
    int times = 60;
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    CodedOutputStream head = CodedOutputStream.newInstance(state);
    head.writeTag(RecordingEntry.STATE_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    head.writeUInt32NoTag(objects.length * times);
    head.flush();
    for (int i = 0; i < times; i++) {
      state.write(objects);
    }
    writeFrame(packed(state.toByteArray(), 1));
    assertThat(Files.size(file)).isLessThan(1 << 20);
    assertReadInLittleMemory();
  }

  private void writeFrame(byte[] packed) throws IOException {
    byte[] header = Frames.fileHeader();
    Files.write(
        file,
        ByteBuffer.allocate(header.length + Frames.FRAME_HEADER + packed.length)
            .put(header)
            .putInt(packed.length)
            .put(Frames.FRESH)
            .putInt(Frames.checksum(packed.length, Frames.FRESH, ByteBuffer.wrap(packed)))
            .put(packed)
            .array());
  }

  private void assertReadInLittleMemory() {
    long before = allocated();
    assertThat(Recording.open(file).read(event -> {})).startsWith("damaged ");
    assertThat(allocated() - before).isLessThan(300_000_000);
  }

  private static byte[] packed(byte[] content, int times) {
    byte[] packed = new byte[1 << 21];
    int length = 0;
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED, true)) {
      for (int i = 0; i < times; i++) {
        deflater.setInput(content);
        length += deflater.deflate(packed, length, packed.length - length, Deflater.SYNC_FLUSH);
      }
    }
    return Arrays.copyOf(packed, length);
  }

  /** How many bytes this thread has ever allocated. */
  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void anEntryThatNoFrameCanHoldIsNotWritten() throws IOException {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FrameWriter writer = new FrameWriter(channel, 0, length -> {})) {
      writer.append(new byte[1]);
      assertThatThrownBy(() -> writer.append(new byte[Frames.LONGEST + 1]))
          .hasMessage("an entry is longer than 64 MiB");
      assertThat(writer.isFresh()).isTrue();
      writer.append(new byte[1]);
    }
    try (FrameReader reader = FrameReader.open(file)) {
      assertThat(reader.next()).hasSize(1);
      assertThat(reader.next()).hasSize(1);
      assertThat(reader.next()).isNull();
      assertThat(reader.fault()).isEqualTo(FrameReader.Fault.NONE);
    }
  }

  @Test
  void aDamagedFileIsNotAppendedTo() throws IOException {
    byte[] all = good();
    all[200] ^= 1;
    Files.write(file, all);
    assertThatThrownBy(() -> RecordingWriter.append(file))
        .hasMessage(file + " is damaged, and cannot be appended to; record into another file");
    assertThat(Files.readAllBytes(file)).isEqualTo(all);
  }

  @Test
  void anotherFileIsNotAppendedToHoweverShort() throws IOException {
    for (String other : List.of("x", "precious", "a key: 7 and more")) {
      Files.writeString(file, other);
      assertThatThrownBy(() -> RecordingWriter.append(file))
          .isInstanceOf(RecordingException.class)
          .hasMessageStartingWith(file + " is not a recording: it does not start with 'PORTOLAN'");
      assertThat(file).hasContent(other);
    }
  }

  @Test
  void aHeaderThatIsCutOffIsWrittenAgain() throws IOException {
    for (String begun : List.of("", "PORTO", "PORTOLAN\0\0")) {
      Files.writeString(file, begun, StandardCharsets.US_ASCII);
      List<RecordedEvent> events = Samples.events(7, 3);
      try (RecordingWriter writer = RecordingWriter.append(file)) {
        Samples.write(writer, events);
      }
      assertThat(Samples.read(file)).isEqualTo(Samples.kept(events));
    }
  }

  @Test
  void aFileThatExistsIsNotOverwritten() throws IOException {
    byte[] all = good();
    assertThatThrownBy(() -> RecordingWriter.create(file))
        .hasMessage(file + " exists; use another name, or --append to go on with it");
    assertThat(Files.readAllBytes(file)).isEqualTo(all);
  }

  @Test
  void twoWritersOfOneFile() {
    try (RecordingWriter first = RecordingWriter.create(file)) {
      first.write(Samples.started(Samples.BEGIN));
      assertThatThrownBy(() -> RecordingWriter.append(file))
          .hasMessage(
              file
                  + " is in use: another process records into it; end that one, or use another"
                  + " path");
    }
  }
}
