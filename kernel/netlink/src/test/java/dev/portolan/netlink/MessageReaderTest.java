package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.netlink.MessageReader.Message;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What was written is read back; what cannot be read is refused. */
final class MessageReaderTest {
  @Property
  void whatIsWrittenIsReadBack(
      @ForAll(min = 0, max = 0xffff) int type,
      @ForAll(min = 0, max = 0xffff) int flags,
      @ForAll int sequence,
      @ForAll(min = 1, max = 0x3fff) int attribute,
      @ForAll int number,
      @ForAll long big,
      @ForAll(min = 0, max = 0xffff) int small,
      @ForAll(max = 300) byte[] bytes,
      @ForAll String anyText) {
    String valid =
        new String(anyText.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
            .replace("\0", "");
    String text = valid.substring(0, Math.min(valid.length(), 1000));
    MessageWriter writer = new MessageWriter();
    for (int i = 0; i < 2; i++) {
      writer.begin(type, flags, sequence + i).raw(1, 2, 3, 4);
      writer.u32(attribute, number);
      writer.nest(
          7,
          () -> {
            writer.u64(1, big).u16(2, small).u8(3, small & 0xff).bytes(4, bytes).text(5, text);
            writer.bytes(6, MessageWriter.nativeBytes(number));
          });
      writer.end();
    }

    MessageReader reader = new MessageReader(writer.array(), writer.length());
    for (int i = 0; i < 2; i++) {
      Message message = reader.next().orElseThrow();
      assertThat(message.type()).isEqualTo(type);
      assertThat(message.flags()).isEqualTo(flags);
      assertThat(message.sequence()).isEqualTo(sequence + i);
      Attributes attributes = message.attributes(4);
      assertThat(attributes.u32(attribute)).isEqualTo(number);
      if (attribute != 7) {
        Attributes nested = attributes.nested(7);
        assertThat(nested.u64(1)).isEqualTo(big);
        assertThat(nested.u16(2)).isEqualTo(small);
        assertThat(nested.u8(3)).isEqualTo(small & 0xff);
        assertThat(nested.bytes(4)).isEqualTo(bytes);
        assertThat(nested.text(5)).contains(text);
        assertThat(nested.nativeU32(6)).isEqualTo(number);
        assertThat(attributes.covers(attributes)).isTrue();
      }
    }
    assertThat(reader.next()).isEmpty();
  }

  @Property(tries = 20_000)
  void damagedDatagramsNeverCrash(@ForAll long seed) {
    List<Function<Message, Object>> decoders =
        List.of(
            message -> message.errno(),
            message -> message.errorText(),
            message -> message.doneErrno(),
            message -> walk(message.attributes(Math.min(4, message.body().remaining())), 0));
    Hostile.feed(seed, decoders);
  }

  /** Goes into every attribute, whether it claims to hold others or not. */
  private static int walk(Attributes attributes, int depth) {
    int bytes = 0;
    for (Attributes.Attribute attribute : attributes.all()) {
      bytes += attribute.toBytes().length;
      if (attribute.nests() && depth < 10) {
        bytes += walk(attribute.nested(), depth + 1);
      }
    }
    return bytes;
  }

  @Test
  void theKernelsWordsAreFound() {
    List<String> words = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (byte[] datagram : Hostile.captured("answers")) {
      Hostile.forEach(
          datagram,
          message -> {
            if (message.type() == MessageReader.TYPE_ERROR) {
              numbers.add(message.errno());
            } else if (message.type() == MessageReader.TYPE_DONE) {
              words.add(message.errorText());
              numbers.add(message.doneErrno());
            }
          });
    }
    assertThat(words).contains("Invalid values in header for link dump request");
    assertThat(numbers).contains(Errno.ENOENT, Errno.EINVAL, 0);
  }

  @Test
  void aWrongLengthIsRefused() {
    byte[] datagram = Hostile.captured("answers").getFirst().clone();
    for (int length : new int[] {0, 15, datagram.length + 1, -1, Integer.MIN_VALUE}) {
      ByteBuffer.wrap(datagram).put(0, MessageWriter.nativeBytes(length));
      assertThatThrownBy(() -> new MessageReader(datagram, datagram.length).next())
          .isInstanceOf(NetlinkException.class)
          .hasMessageContaining("wrong length");
    }
  }

  @Test
  void textThatCannotBeReadHidesNoError() {
    MessageWriter writer = new MessageWriter();
    writer.begin(MessageReader.TYPE_ERROR, 0x200, 1);
    writer.rawBytes(MessageWriter.nativeBytes(-Errno.EBUSY));
    writer.rawBytes(MessageWriter.nativeBytes(0x7ffffffc)).raw(new int[12]).raw(9, 9, 9, 9).end();
    Optional<Message> message = new MessageReader(writer.array(), writer.length()).next();
    assertThat(message.orElseThrow().errno()).isEqualTo(Errno.EBUSY);
    assertThat(message.orElseThrow().errorText()).isEmpty();
  }
}
