package dev.portolan.bpf;

import static dev.portolan.bpf.Register.R0;
import static dev.portolan.bpf.Register.R1;
import static dev.portolan.bpf.Register.R2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Maps, programs, links and pins in the kernel of this machine. */
@NeedsKernel(tools = {"ip", "mount"})
class KernelTest {
  private static BpfPlace place;
  private static TestNamespace namespace;

  @BeforeAll
  static void make() {
    place = BpfPlace.make();
    namespace = new TestNamespace();
  }

  @AfterAll
  static void remove() {
    namespace.close();
    place.close();
  }

  private static ByteBuffer number(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, value);
  }

  private static Map<ByteBuffer, ByteBuffer> numbers(int count) {
    Map<ByteBuffer, ByteBuffer> entries = new HashMap<>();
    for (int i = 0; i < count; i++) {
      entries.put(number(i), number(-i));
    }
    return entries;
  }

  @Test
  void aMapTakesAndGivesManyEntriesAtOnce() {
    Map<ByteBuffer, ByteBuffer> entries = numbers(10_000);
    try (BpfMap map = BpfMap.create(new MapShape("test_many", MapShape.Kind.HASH, 4, 4, 16_384))) {
      map.put(entries);
      assertThat(map.entries()).isEqualTo(entries);
      assertThat(map.lookup(number(77))).contains(number(-77));
      map.put(Map.of(number(77), number(1)));
      assertThat(map.lookup(number(77))).contains(number(1));
      // Every second one is not there any more when all are removed.
      map.remove(entries.keySet().stream().filter(key -> key.get(0) % 2 == 0).toList());
      map.remove(entries.keySet());
      assertThat(map.entries()).isEmpty();
      assertThat(map.lookup(number(77))).isEmpty();
    }
  }

  @Test
  void aFullMapSaysSo() {
    try (BpfMap map = BpfMap.create(new MapShape("test_full", MapShape.Kind.HASH, 4, 4, 8))) {
      assertThatThrownBy(() -> map.put(numbers(9)))
          .isInstanceOf(BpfException.class)
          .hasMessage("cannot write 9 entries to map test_full: E2BIG: the map is full");
    }
  }

  @Test
  void aPinnedMapIsFoundAgain() throws IOException {
    Path pin = place.folder().resolve("test_pin");
    MapShape shape = new MapShape("test_pin", MapShape.Kind.LRU, 4, 4, 100);
    try (BpfMap map = BpfMap.create(shape)) {
      map.put(numbers(5));
      map.pin(pin);
    }
    try (BpfMap again = BpfMap.pinned(pin).orElseThrow()) {
      assertThat(again.shape()).isEqualTo(shape);
      assertThat(again.entries()).isEqualTo(numbers(5));
    }
    Files.delete(pin);
    assertThat(BpfMap.pinned(pin)).isEmpty();
  }

  @Test
  void aRejectedProgramIsExplained() {
    Code code = new Assembler().load(Width.DOUBLE, R0, R1, 200).exit(1).assemble();
    assertThatThrownBy(() -> BpfProgram.load("test_bad", SocketHook.CONNECT4, code, Map.of()))
        .isInstanceOf(BpfException.class)
        .hasMessageMatching(
            "the kernel rejects program test_bad: instruction 0"
                + " \\(r0 = \\*\\(u64 \\*\\)\\(r1 \\+ 200\\)\\): invalid bpf_context access.*");
  }

  private static Code refusing(int errno) {
    return new Assembler().move(R1, -errno).call(Helper.SET_RETVAL).exit(0).assemble();
  }

  /** Leads every connection to another port. */
  private static Code leading(int port) {
    int onWire = Short.toUnsignedInt(Short.reverseBytes((short) port));
    return new Assembler().move(R2, onWire).store(Width.WORD, R1, 24, R2).exit(1).assemble();
  }

  private static void connect() throws IOException {
    // A socket of Java's own choice would be one of IPv6.
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET)) {
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
    }
  }

  private static void inside(Connecting connecting) throws IOException {
    var _ =
        namespace
            .namespace()
            .visit(() -> {
              place.enter();
              connecting.run();
              return true;
            });
  }

  private interface Connecting {
    void run() throws IOException;
  }

  @Test
  void aLinkIsPinnedSwappedAndDetached() throws IOException {
    Path pin = place.folder().resolve("test_link");
    try (ServerSocket server =
            namespace
                .namespace()
                .visit(() -> new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        BpfProgram refuses =
            BpfProgram.load("test_refuses", SocketHook.CONNECT4, refusing(111), Map.of());
        BpfProgram leads =
            BpfProgram.load(
                "test_leads", SocketHook.CONNECT4, leading(server.getLocalPort()), Map.of())) {
      try (CgroupLink link = CgroupLink.attach(place.cgroup(), SocketHook.CONNECT4, refuses)) {
        link.pin(pin);
      }
      assertThatThrownBy(() -> inside(KernelTest::connect)).isInstanceOf(ConnectException.class);
      try (CgroupLink link = CgroupLink.pinned(pin).orElseThrow()) {
        assertThat(link.programTag()).isEqualTo(refuses.tag()).isNotEqualTo(leads.tag());
        assertThat(link.isAttached(place.cgroup(), SocketHook.CONNECT4)).isTrue();
        assertThat(link.isAttached(place.cgroup(), SocketHook.CONNECT6)).isFalse();
        link.update(leads);
        assertThat(link.programId()).isEqualTo(leads.id());
        inside(KernelTest::connect);
        link.detach();
        assertThat(link.isAttached(place.cgroup(), SocketHook.CONNECT4)).isFalse();
        assertThatThrownBy(() -> inside(KernelTest::connect)).isInstanceOf(ConnectException.class);
      }
    } finally {
      Files.deleteIfExists(pin);
    }
    assertThat(CgroupLink.pinned(pin)).isEmpty();
  }

  @Test
  void aThreadOutsideOfTheCgroupIsLeftAlone() throws IOException {
    try (BpfProgram refuses =
            BpfProgram.load("test_refuses", SocketHook.CONNECT4, refusing(13), Map.of());
        CgroupLink _ = CgroupLink.attach(place.cgroup(), SocketHook.CONNECT4, refuses)) {
      assertThatThrownBy(() -> inside(KernelTest::connect)).hasMessageContaining("denied");
      assertThatThrownBy(() ->
              namespace
                  .namespace()
                  .visit(() -> {
                    connect();
                    return true;
                  }))
          .hasMessageContaining("refused");
    }
  }

  @Test
  void allHooksTakeAProgram() {
    Code passes = new Assembler().exit(1).assemble();
    for (SocketHook hook : List.of(SocketHook.values())) {
      try (BpfProgram program = BpfProgram.load("test_pass", hook, passes, Map.of());
          CgroupLink link = CgroupLink.attach(place.cgroup(), hook, program)) {
        assertThat(link.isAttached(place.cgroup(), hook)).isTrue();
      }
    }
  }
}
