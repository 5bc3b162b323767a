package dev.portolan.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.MessageReader.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** Datagrams that a kernel sent, and what a kernel never would: the same with damage. */
public final class Hostile {
  private static final List<String> NAMES =
      List.of(
          "answers",
          "conntrack-dumps",
          "nftables-dumps",
          "nftables-notices",
          "route-dumps",
          "route-notices");
  private static final List<byte[]> ALL =
      NAMES.stream().flatMap(n -> captured(n).stream()).toList();
  private static final com.sun.management.ThreadMXBean MEMORY =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Hostile() {}

  /** The recorded datagrams of a file. */
  public static List<byte[]> captured(String name) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    Hostile.class.getResourceAsStream("/captures/" + name + ".hex")),
                StandardCharsets.US_ASCII))) {
      return lines.lines().map(HexFormat.of()::parseHex).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The messages of recorded datagrams, without those that end a dump. */
  public static List<Message> messages(String name) {
    List<Message> found = new ArrayList<>();
    for (byte[] datagram : captured(name)) {
      forEach(datagram, found::add);
    }
    found.removeIf(message -> message.type() == MessageReader.TYPE_DONE);
    return found;
  }

  /** Hands over the messages of a datagram. */
  public static void forEach(byte[] datagram, Consumer<Message> reader) {
    MessageReader messages = new MessageReader(datagram);
    for (Optional<Message> next = messages.next(); next.isPresent(); next = messages.next()) {
      reader.accept(next.get());
    }
  }

  /**
   * Feeds a damaged datagram to decoders. They may refuse it with a {@link NetlinkException};
   * anything else they throw goes through, and memory far beyond the datagram's size is a failure.
   */
  public static void feed(long seed, List<Function<Message, Object>> decoders) {
    byte[] datagram = datagram(new Random(seed));
    long most = 1_000_000 + 200L * datagram.length;
    for (Function<Message, Object> decoder : decoders) {
      // The first time, classes are loaded too.
      if (memory(datagram, decoder) >= most) {
        assertThat(memory(datagram, decoder)).isLessThan(most);
      }
    }
  }

  /** How much memory it takes to decode the messages of a datagram. */
  private static long memory(byte[] datagram, Function<Message, Object> decoder) {
    long before = MEMORY.getCurrentThreadAllocatedBytes();
    try {
      forEach(datagram, message -> assertThat(String.valueOf(decoder.apply(message))).isNotNull());
    } catch (NetlinkException e) {
      assertThat(e).hasMessageContaining("the kernel");
    }
    return MEMORY.getCurrentThreadAllocatedBytes() - before;
  }

  /** A recorded datagram with a few kinds of damage, or noise. */
  static byte[] datagram(Random random) {
    if (random.nextInt(20) == 0) {
      byte[] noise = new byte[random.nextInt(2000)];
      random.nextBytes(noise);
      return noise;
    }
    byte[] datagram = ALL.get(random.nextInt(ALL.size())).clone();
    for (int i = random.nextInt(6); i >= 0 && datagram.length > 4; i--) {
      datagram = damage(datagram, random);
    }
    return datagram;
  }

  private static byte[] damage(byte[] datagram, Random random) {
    int at = random.nextInt(datagram.length);
    switch (random.nextInt(7)) {
      case 0 -> datagram[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> datagram[at] = (byte) random.nextInt();
      case 2 -> {
        return Arrays.copyOf(datagram, at);
      }
      case 3 -> number(datagram, at & ~3, 2, random);
      case 4 -> number(datagram, at & ~3, 4, random);
      case 5 -> {
        int length = random.nextInt(datagram.length - at) + 1;
        byte[] longer = Arrays.copyOf(datagram, datagram.length + length);
        System.arraycopy(datagram, at, longer, at + length, datagram.length - at);
        return longer;
      }
      default -> {
        int length = random.nextInt(datagram.length - at) + 1;
        int to = random.nextInt(datagram.length - length + 1);
        System.arraycopy(datagram.clone(), at, datagram, to, length);
      }
    }
    return datagram;
  }

  /** Writes a number that lengths are often wrong by. */
  private static void number(byte[] datagram, int at, int size, Random random) {
    int[] likely = {0, 1, 3, 4, 5, 15, 16, 17, 0x7fff, 0xffff, -1, -4, Integer.MAX_VALUE - 3};
    int value = random.nextBoolean() ? likely[random.nextInt(likely.length)] : random.nextInt(600);
    ByteBuffer buffer = ByteBuffer.wrap(datagram).order(ByteOrder.nativeOrder());
    if (at + size > datagram.length) {
      return;
    }
    if (size == 2) {
      buffer.putShort(at, (short) value);
    } else {
      buffer.putInt(at, value);
    }
  }
}
