package dev.portolan.source.kube.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.Service;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever bytes come: objects, or one exception that says so. */
class HostileBytesTest {
  private static final int MOST_EVENTS = 10_000;

  @Property(tries = 3000)
  void spoiltAnswersAreRefused(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<Resource<?, ?>> resources = CaptureTest.resources().toList();
    Resource<?, ?> resource = resources.get(random.nextInt(resources.size()));
    boolean protobuf = random.nextInt(4) > 0;
    boolean watch = random.nextBoolean();
    String name = resource.name() + (watch ? ".watch" : "") + (protobuf ? ".pb" : ".json");
    byte[] bytes = spoil(Captures.read(name), random);
    WireFormat format = protobuf ? new ProtobufFormat() : new JsonFormat("x");
    try {
      read(format, resource, watch, bytes);
    } catch (DecodeException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }

  private static <K extends Comparable<? super K>, V> void read(
      WireFormat format, Resource<K, V> resource, boolean watch, byte[] bytes) throws IOException {
    InputBuffer in = Captures.answer(bytes);
    if (!watch) {
      format.list(resource, in, found -> assertThat(found.key()).isNotNull());
      return;
    }
    for (int i = 0; format.event(resource, in) != null; i++) {
      assertThat(i).isLessThan(MOST_EVENTS);
    }
  }

  private static byte[] spoil(byte[] original, Random random) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        default -> {
          int length = Math.min(bytes.length - at, random.nextInt(1, 12));
          byte[] part = new byte[length];
          Arrays.fill(part, (byte) (random.nextBoolean() ? 0xff : 0));
          System.arraycopy(part, 0, bytes, at, length);
        }
      }
    }
    return bytes;
  }

  @Test
  void aLengthIsNotBelieved() {
    byte[] frame = ByteBuffer.allocate(10).putInt(InputBuffer.LONGEST).array();
    assertThatThrownBy(() -> read(new ProtobufFormat(), Resource.services(), true, frame))
        .isInstanceOf(DecodeException.class);
    byte[] huge = ByteBuffer.allocate(10).putInt(-1).array();
    assertThatThrownBy(() -> read(new ProtobufFormat(), Resource.services(), true, huge))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("bytes long");
  }

  @Test
  void anEventThatIsNotWholeIsNotThere() throws IOException {
    for (String name : List.of("services.watch.pb", "services.watch.json")) {
      byte[] bytes = Captures.read(name);
      WireFormat format = name.endsWith("pb") ? new ProtobufFormat() : new JsonFormat("x");
      assertThat(format.hasEvent(Captures.answer(bytes))).isTrue();
      byte[] half = Arrays.copyOf(bytes, 300);
      assertThat(format.hasEvent(Captures.answer(half))).isFalse();
    }
  }

  @Test
  void aWordThatIsNotKnownCostsTheObjectAlone() throws IOException {
    WireWriter meta = new WireWriter().text(1, "web").text(3, "shop").text(6, "7");
    WireWriter service =
        new WireWriter().message(2, new WireWriter().text(4, "Teleport")).message(1, meta);
    WireWriter list =
        new WireWriter().message(1, new WireWriter().text(2, "9")).message(2, service);
    byte[] bytes =
        new WireWriter()
            .message(1, new WireWriter().text(2, "ServiceList"))
            .message(2, list)
            .bytes();
    byte[] all =
        ByteBuffer.allocate(bytes.length + 4)
            .put("k8s\0".getBytes(StandardCharsets.US_ASCII))
            .put(bytes)
            .array();
    List<ReceivedObject<?, Service>> found = new ArrayList<>();
    new ProtobufFormat().list(Resource.services(), Captures.answer(all), found::add);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().object()).isNull();
    assertThat(found.getFirst().problem()).isEqualTo("spec.type: 'Teleport' is not supported");
  }
}
