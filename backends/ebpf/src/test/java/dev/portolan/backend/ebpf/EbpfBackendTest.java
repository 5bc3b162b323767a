package dev.portolan.backend.ebpf;

import static dev.portolan.backend.ebpf.Sample.tcp;
import static dev.portolan.backend.ebpf.Sample.udp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.ebpf.SocketWorld.Client;
import dev.portolan.backend.ebpf.SocketWorld.Datagrams;
import dev.portolan.backend.nftables.NftablesOptions;
import dev.portolan.bpf.BpfMap;
import dev.portolan.bpf.CgroupLink;
import dev.portolan.bpf.SocketHook;
import dev.portolan.conntrack.Cleaning;
import dev.portolan.conntrack.TcpCleaning;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.netlink.NetworkNamespace;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The cases in the kernel of this machine, and what only a kernel can show. */
@NeedsKernel(tools = {"ip", "mount", "perl"})
class EbpfBackendTest extends SocketContract {
  private static final String VIP = "10.96.0.1";
  @AutoClose private static Pods pods;

  @BeforeAll
  static void build() {
    pods = new Pods();
  }

  private static Path folder() {
    return pods.place().folder().resolve("portolan");
  }

  private static EbpfOptions options() {
    return new EbpfOptions(
        new NftablesOptions("portolan", 14, pods.namespace(1).path()),
        Optional.of(pods.place().cgroup()),
        folder());
  }

  @Override
  SocketWorld make() {
    return new Kernel();
  }

  private Kernel kernel() {
    return (Kernel) world;
  }

  /** A backend at work. */
  private static final class Kernel implements SocketWorld {
    private EbpfBackend backend = new EbpfBackend(options());
    private NodeImage applied = NodeImage.unsynced("worker-1");

    @Override
    public void apply(NodeImage image) {
      backend.sync(NodeChange.between(applied, image));
      applied = image;
      assertThat(backend.obstacle()).isEmpty();
    }

    /** Another process takes the place of this one, which had no time to say goodbye. */
    void restart() {
      backend.close();
      backend = new EbpfBackend(options());
      applied = NodeImage.unsynced("worker-1");
    }

    @Override
    public Client open(int pod, boolean ofBoth, Protocol protocol) {
      return pods.open(pod, ofBoth, protocol);
    }

    @Override
    public Datagrams openUdp(int pod, boolean ofBoth) {
      return pods.openUdp(pod, ofBoth);
    }

    @Override
    public int notes() {
      return entries(SocketMap.REVERSE).size();
    }

    @Override
    public void sleep(int seconds) throws InterruptedException {
      Thread.sleep(seconds * 1_000L);
    }

    @Override
    public void close() {
      backend.cleanup();
      backend.close();
      assertThat(folder()).doesNotExist();
    }
  }

  private static Map<ByteBuffer, ByteBuffer> entries(SocketMap map) {
    try (BpfMap open = BpfMap.pinned(folder().resolve(map.toString())).orElseThrow()) {
      return open.entries();
    }
  }

  @Test
  void aProgramSeesTheServiceAsItsPeer() {
    world.apply(
        Sample.image(
            tcp("web", VIP, 80).to("10.244.1.1"),
            tcp("web6", "fd00:96::1", 80).to("fd10:244:1::1"),
            udp("none", VIP, 53).to()));
    String script =
        """
        use Socket qw(:DEFAULT inet_ntop inet_pton pack_sockaddr_in6 unpack_sockaddr_in6);
        sub ask {
          my ($family, $to) = @_;
          socket(my $s, $family, SOCK_STREAM, 0) or die;
          connect($s, $to) or die "connect: $!";
          my ($port, $ip) = $family == AF_INET6
            ? unpack_sockaddr_in6(getpeername($s)) : unpack_sockaddr_in(getpeername($s));
          sysread($s, my $answer, 64);
          print inet_ntop($family, $ip), " ", $port, " is ", $answer, "\n";
        }
        ask(AF_INET, pack_sockaddr_in(80, inet_aton("10.96.0.1")));
        ask(AF_INET6, pack_sockaddr_in6(80, inet_pton(AF_INET6, "::ffff:10.96.0.1")));
        ask(AF_INET6, pack_sockaddr_in6(80, inet_pton(AF_INET6, "fd00:96::1")));
        socket(my $u, AF_INET, SOCK_DGRAM, 0) or die;
        send($u, "x", 0, pack_sockaddr_in(53, inet_aton("10.96.0.1"))) or print "send: $!\n";
        """;
    String printed =
        pods.namespace(1)
            .namespace()
            .visit(() -> {
              pods.place().enter();
              return run("perl", "-e", script);
            });
    assertThat(printed.lines())
        .containsExactly(
            "10.96.0.1 80 is 10.244.1.1",
            "::ffff:10.96.0.1 80 is 10.244.1.1",
            "fd00:96::1 80 is fd10:244:1::1",
            "send: Connection refused");
  }

  private static String run(String... words) {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aProcessThatEndsLeavesEverythingAndTheNextOneWritesNothing() {
    NodeImage image =
        Sample.image(
            tcp("web", VIP, 80).to(THREE).sticky(100),
            udp("dns", VIP, 53).to(THREE),
            tcp("none", "10.96.0.2", 80).to());
    world.apply(image);
    String endpoint = connect(VIP, 80);
    Map<ByteBuffer, ByteBuffer> services = entries(SocketMap.SERVICES);
    Map<ByteBuffer, ByteBuffer> slots = entries(SocketMap.SLOTS);
    kernel().restart();
    assertThat(pods.namespace(1).run("nft", "flush", "ruleset")).isEmpty();
    assertThat(kernel().backend.isBlank()).as("sockets are served").isFalse();
    assertThat(connect(VIP, 80)).isEqualTo(endpoint);
    assertThat(connect("10.96.0.2", 80)).isEqualTo(SocketWorld.REFUSED);
    world.apply(image);
    assertThat(entries(SocketMap.SERVICES)).isEqualTo(services);
    assertThat(entries(SocketMap.SLOTS)).isEqualTo(slots);
    assertThat(connect(VIP, 80)).isEqualTo(endpoint);
    assertThat(kernel().backend.audit(image)).isEqualTo(Audit.CLEAN);
  }

  @Test
  void aRestartFindsWhatChangedMeanwhile() {
    world.apply(Sample.image(tcp("web", VIP, 80).to(THREE), tcp("old", VIP, 81).to(THREE)));
    kernel().restart();
    world.apply(Sample.image(tcp("web", VIP, 80).to("10.244.1.2"), tcp("new", VIP, 82).to(THREE)));
    assertThat(connect(VIP, 80)).isEqualTo("10.244.1.2");
    assertThat(connect(VIP, 81)).isEqualTo(SocketWorld.UNTOUCHED);
    assertThat(ALL).contains(connect(VIP, 82));
    kernel().backend.tidy();
    assertThat(entries(SocketMap.SLOTS)).hasSize(4);
  }

  @Test
  void aDetachedProgramAndARemovedPinAreSuspected() throws Exception {
    NodeImage image = Sample.image(tcp("web", VIP, 80).to(THREE));
    BlockingQueue<String> suspicions = new LinkedBlockingQueue<>();
    try (Backend.Watch _ = kernel().backend.watch(suspicions::add)) {
      world.apply(image);
      assertThat(suspicions.poll(1500, TimeUnit.MILLISECONDS)).isNull();
      try (CgroupLink link =
          CgroupLink.pinned(folder().resolve(SocketHook.CONNECT4.toString())).orElseThrow()) {
        link.detach();
      }
      assertThat(Await.next(suspicions)).startsWith("another program detached");
      assertThat(kernel().backend.audit(image).repaired()).isEqualTo(1);
      suspicions.clear();
      Files.delete(folder().resolve(SocketMap.SERVICES.toString()));
      assertThat(Await.next(suspicions)).startsWith("another program detached");
      assertThat(kernel().backend.audit(image).repaired()).isEqualTo(1);
      suspicions.clear();
      assertThat(suspicions.poll(1500, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void damageIsFoundAndRepaired() throws IOException, InterruptedException {
    NodeImage image = Sample.image(tcp("web", VIP, 80).to(THREE), udp("dns", VIP, 53).to(THREE));
    world.apply(image);
    for (SocketMap map : List.of(SocketMap.SERVICES, SocketMap.SLOTS, SocketMap.MEMBERS)) {
      try (BpfMap open = BpfMap.pinned(folder().resolve(map.toString())).orElseThrow()) {
        open.remove(open.entries().keySet());
      }
      assertThat(kernel().backend.audit(image).repaired()).isPositive();
      assertThat(kernel().backend.audit(image)).isEqualTo(Audit.CLEAN);
      assertThat(ALL).contains(connect(VIP, 80));
    }
    try (CgroupLink link =
        CgroupLink.pinned(folder().resolve(SocketHook.CONNECT4.toString())).orElseThrow()) {
      link.detach();
    }
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.UNTOUCHED);
    assertThat(kernel().backend.audit(image).repaired()).isEqualTo(1);
    assertThat(ALL).contains(connect(VIP, 80));
    Files.delete(folder().resolve(SocketHook.CONNECT4.toString()));
    Files.delete(folder().resolve(SocketMap.SERVICES.toString()));
    assertThat(kernel().backend.audit(image).repaired()).isEqualTo(2);
    assertThat(kernel().backend.audit(image)).isEqualTo(Audit.CLEAN);
    assertThat(ALL).contains(connect(VIP, 80));
    // Without their pins, links end before long.
    for (SocketHook hook : SocketHook.values()) {
      Files.delete(folder().resolve(hook.toString()));
    }
    for (SocketMap map : SocketMap.values()) {
      Files.delete(folder().resolve(map.toString()));
    }
    Files.delete(folder().resolve("netns"));
    Files.delete(folder());
    String _ = Await.until("no program", () -> connect(VIP, 80), SocketWorld.UNTOUCHED::equals);
    assertThat(kernel().backend.audit(image).repaired()).isEqualTo(15);
    assertThat(kernel().backend.audit(image)).isEqualTo(Audit.CLEAN);
    assertThat(ALL).contains(connect(VIP, 80));
  }

  @Test
  void socketsToEndpointsThatAreGoneEnd() throws IOException {
    Sample.Draft web = tcp("web", "10.96.0.2", 80).to("10.244.1.1");
    List<NodeImage> images =
        List.of(
            Sample.NOTHING.with(udp("dns", VIP, 53).to("10.244.1.1"), web).image(1),
            Sample.NOTHING.with(udp("dns", VIP, 53).to("10.244.1.2"), web).image(2),
            Sample.NOTHING.with(udp("dns", VIP, 53).to("10.244.1.2"), web.to()).image(3));
    AtomicReference<NodeImage> newest = new AtomicReference<>(images.get(0));
    List<Cleaning> cleanings = new ArrayList<>();
    try (Keeper keeper = keeper(newest, cleanings);
        DatagramChannel four = inPod(() -> DatagramChannel.open(StandardProtocolFamily.INET));
        DatagramChannel both = inPod(() -> DatagramChannel.open(StandardProtocolFamily.INET6));
        DatagramChannel direct = inPod(() -> DatagramChannel.open());
        Datagrams sending = world.openUdp(2, false);
        Client browsing = world.open(1, false, Protocol.TCP)) {
      keeper.once();
      four.connect(Pods.address(VIP, 53));
      both.connect(Pods.address(VIP, 53));
      direct.connect(Pods.address("10.244.1.1", 8080));
      assertThat(sending.send(VIP, 53)).startsWith("10.244.1.1 ");
      assertThat(browsing.connect("10.96.0.2", 80)).isEqualTo("10.244.1.1");
      newest.set(images.get(1));
      keeper.once();
      assertThat(cleanings.getLast().socketsEnded()).isEqualTo(2);
      for (DatagramChannel ended : List.of(four, both)) {
        assertThatThrownBy(() -> ended.read(ByteBuffer.allocate(8))).hasMessageContaining("abort");
      }
      assertThat(direct.configureBlocking(false)).isNotNull();
      assertThat(direct.read(ByteBuffer.allocate(8))).isZero();
      assertThat(sending.send(VIP, 53)).startsWith("10.244.1.2 ");
      newest.set(images.get(2));
      keeper.once();
      assertThat(cleanings.getLast().socketsEnded()).as("the connection of TCP").isEqualTo(1);
      assertThat(cleanings).allMatch(cleaning -> cleaning.firstFailure().isEmpty());
    }
  }

  private static <T> T inPod(NetworkNamespace.Visit<T, IOException> visit) throws IOException {
    return pods.namespace(1)
        .namespace()
        .visit(() -> {
          pods.place().enter();
          return visit.call();
        });
  }

  private static Keeper keeper(AtomicReference<NodeImage> newest, List<Cleaning> cleanings) {
    NodeFeed feed =
        new NodeFeed() {
          @Override
          public String node() {
            return "worker-1";
          }

          @Override
          public NodeSnapshot newest() {
            return NodeSnapshot.of(newest.get());
          }

          @Override
          public void onChange(Runnable listener) {
            // It is asked.
          }
        };
    return new Keeper(
        feed,
        new EbpfBackend(options()),
        Keeper.Options.DEFAULT.flows(TcpCleaning.ALL, pods.namespace(1).path()),
        new Observer() {
          @Override
          public void flowsEnded(Cleaning cleaning) {
            cleanings.add(cleaning);
          }
        });
  }

  @Test
  void aPreviewSaysWhatWouldChange() {
    NodeImage image = Sample.image(tcp("web", VIP, 80).to(THREE).sticky(5));
    assertThat(sockets(image))
        .hasSize(10)
        .contains(
            "+ link connect4",
            "+ socket 10.96.0.1:80/TCP: 10.244.1.1:8080, 10.244.1.2:8080, 10.244.1.3:8080"
                + " for 5 s");
    world.apply(image);
    assertThat(sockets(image)).isEmpty();
    assertThat(sockets(Sample.image(tcp("web", VIP, 80).to(), tcp("b", VIP, 81).to("10.244.1.2"))))
        .containsExactly(
            "~ socket 10.96.0.1:80/TCP: refused", "+ socket 10.96.0.1:81/TCP: 10.244.1.2:8080");
    assertThat(sockets(Sample.image())).containsExactly("- socket 10.96.0.1:80/TCP");
    assertThat(EbpfBackend.isPresent(options())).isTrue();
    EbpfBackend.removeSockets(options());
    assertThat(EbpfBackend.isPresent(options())).isFalse();
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.UNTOUCHED);
  }

  private List<String> sockets(NodeImage image) {
    return kernel().backend.preview(image).stream()
        .filter(line -> line.contains(" link ") || line.contains(" socket "))
        .toList();
  }

  @Test
  void cleanupLeavesNothing() {
    world.apply(Sample.image(tcp("web", VIP, 80).to(THREE)));
    kernel().backend.cleanup();
    assertThat(kernel().backend.isBlank()).isTrue();
    assertThat(folder()).doesNotExist();
    assertThat(connect(VIP, 80)).isEqualTo(SocketWorld.UNTOUCHED);
    assertThat(pods.namespace(1).run("nft", "list", "ruleset")).isEmpty();
  }

  @Test
  void withoutABpffsNftablesDoesItAll() throws IOException {
    List<Optional<String>> told = new ArrayList<>();
    Path elsewhere = Files.createTempDirectory("portolan-no-bpffs-");
    try (EbpfBackend backend =
        new EbpfBackend(options().pinnedTo(elsewhere.resolve("p")), false, told::add)) {
      backend.sync(NodeChange.to(Sample.image(tcp("web", VIP, 80).to(THREE))));
      assertThat(backend.obstacle().orElseThrow())
          .startsWith("sockets are not translated, nftables does it all: ")
          .endsWith(" is not in a bpffs; mount one: mount -t bpf bpf /sys/fs/bpf");
      assertThat(told).containsExactly(backend.obstacle());
      assertThat(pods.namespace(1).run("nft", "list", "ruleset")).contains(VIP);
      backend.cleanup();
    } finally {
      Files.delete(elsewhere);
    }
  }

  @Test
  void whatCouldNotBeAttachedIsTriedAgainWithEachFullSync() throws IOException {
    List<Optional<String>> told = new ArrayList<>();
    Path later = pods.place().cgroup().resolve("later");
    NodeImage image = Sample.image(tcp("web", VIP, 80).to(THREE));
    try (EbpfBackend backend = new EbpfBackend(options().of(later), false, told::add)) {
      backend.sync(NodeChange.to(image));
      assertThat(backend.obstacle().orElseThrow())
          .startsWith("sockets are not translated, nftables does it all: cannot open cgroup ");
      assertThat(folder()).as("nothing is left half done").doesNotExist();
      Files.createDirectory(later);
      backend.sync(NodeChange.to(image));
      assertThat(backend.obstacle()).isEmpty();
      assertThat(told).hasSize(2).last().isEqualTo(Optional.empty());
      assertThat(backend.audit(image)).isEqualTo(Audit.CLEAN);
      backend.cleanup();
    } finally {
      Files.deleteIfExists(later);
    }
  }

  @Test
  void mapsGrow() {
    List<Sample.Draft> many = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      many.add(tcp("s" + i, "10.97." + i / 250 + "." + (i % 250 + 1), 80).to(THREE));
    }
    NodeImage few = Sample.image(many.subList(0, 10).toArray(Sample.Draft[]::new));
    NodeImage all = Sample.image(many.toArray(Sample.Draft[]::new));
    world.apply(few);
    world.apply(all);
    assertThat(entries(SocketMap.SERVICES)).hasSize(12_000);
    assertThat(entries(SocketMap.SLOTS)).hasSize(36_000);
    assertThat(ALL).contains(connect("10.97.47.250", 80)).contains(connect("10.97.0.1", 80));
    assertThat(kernel().backend.audit(all)).isEqualTo(Audit.CLEAN);
    world.apply(few);
    kernel().backend.tidy();
    assertThat(kernel().backend.entries()).isEqualTo(10 + 30);
    assertThat(kernel().backend.audit(few)).isEqualTo(Audit.CLEAN);
  }

  /** How many changes happen beside connections. */
  int changes() {
    return 20_000;
  }

  @Test
  void noConnectionFailsWhileEndpointsChange() throws Exception {
    NodeImage[] images = {
      Sample.image(tcp("web", VIP, 80).to(THREE)),
      Sample.image(tcp("web", VIP, 80).to("10.244.1.1")),
      Sample.image(tcp("web", VIP, 80).to("10.244.1.2", "10.244.1.3")),
      Sample.image(tcp("web", VIP, 80).to("10.244.1.1", "10.244.1.3"))
    };
    world.apply(images[0]);
    AtomicBoolean stop = new AtomicBoolean();
    // Only the maps: the rules beside them are put to the same test elsewhere.
    try (ExecutorService threads = Executors.newFixedThreadPool(1);
        SocketBalancer balancer = new SocketBalancer(SocketKernel.open(options()))) {
      balancer.sync(NodeChange.to(images[0]));
      Callable<Integer> connecting =
          () -> {
            int connects = 0;
            while (!stop.get()) {
              String endpoint = connect(VIP, 80);
              if (!ALL.contains(endpoint)) {
                throw new AssertionError("connect number " + connects + ": " + endpoint);
              }
              connects++;
            }
            return connects;
          };
      Future<Integer> connects = threads.submit(connecting);
      for (int i = 0; i < changes() && !connects.isDone(); i++) {
        balancer.sync(NodeChange.between(images[i % 4], images[(i + 1) % 4]));
        if (i % 100 == 0) {
          balancer.tidy();
        }
      }
      stop.set(true);
      assertThat(connects.get()).isPositive();
    }
  }
}
