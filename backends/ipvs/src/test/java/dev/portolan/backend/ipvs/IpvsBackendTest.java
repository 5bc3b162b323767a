package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServicePort;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.ServerEntry;
import dev.portolan.netlink.ipvs.Timeouts;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsVm;
import dev.portolan.testbase.RepositoryRoot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the real kernel has after the backend was at work, each test in a namespace of its own. */
@NeedsVm
class IpvsBackendTest {
  private static final int SECONDS = 60;

  private final AdjustableClock clock = new AdjustableClock();
  private TestNamespace namespace;
  private IpvsBackend backend;

  /** A clock that a test sets. */
  private static final class AdjustableClock extends Clock {
    private Instant now = Instant.ofEpochSecond(1_800_000_000);

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @BeforeEach
  void open() {
    namespace = new TestNamespace();
    namespace.ip("link", "add", "eth0", "type", "dummy");
    namespace.ip("address", "add", "192.168.0.11/24", "dev", "eth0");
    namespace.ip("link", "set", "eth0", "up");
    backend = another();
  }

  @AfterEach
  void close() {
    backend.close();
    namespace.close();
  }

  private IpvsOptions options(
      String scheduler, boolean strictArp, Timeouts timeouts, Cidr... excluded) {
    return new IpvsOptions(
        namespace.path(),
        IpvsOptions.DEFAULT.masqueradeBit(),
        scheduler,
        strictArp,
        timeouts,
        List.of(excluded));
  }

  private IpvsBackend another() {
    return new IpvsBackend(IpvsOptions.DEFAULT.in(namespace.path()), clock);
  }

  private String ipvsadm(String... words) {
    List<String> all = new ArrayList<>(List.of("ipvsadm"));
    all.addAll(List.of(words));
    return namespace.run(all.toArray(String[]::new));
  }

  /** The virtual machine runs tests of all modules in one folder. */
  private static Path examples() {
    return RepositoryRoot.resolve("examples");
  }

  private static NodeImage shop() {
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
    brain.apply(Manifests.read(examples().resolve("shop")).image());
    return view.image();
  }

  @Test
  void aServiceHasTheSchedulerAndTheWeightsThatItAsksFor() {
    OneService service = OneService.of(Protocol.TCP, "10.1.0.1:8080", "10.1.0.2:8080");
    Endpoint heavy = new Endpoint(Ip.of("10.1.0.2"), 8080, "");
    NodeImage weighted = service.image(1, new Balancing(Balancing.Kind.RANDOM, Map.of(heavy, 3)));
    backend.sync(NodeChange.to(weighted));
    assertThat(ipvsadm("-Sn")).contains("-s wrr", "-r 10.1.0.2:8080 -m -w 3");
    assertThat(backend.audit(weighted)).isEqualTo(Audit.CLEAN);

    NodeImage hashed = service.image(2, Balancing.of(Balancing.Kind.MAGLEV));
    backend.sync(NodeChange.between(weighted, hashed));
    assertThat(ipvsadm("-Sn")).contains("-s mh -b mh-port", "-r 10.1.0.2:8080 -m -w 1");
    assertThat(backend.audit(hashed)).isEqualTo(Audit.CLEAN);
    assertThat(backend.shortfall(hashed.services().iterator().next().ports().getFirst())).isEmpty();
  }

  @Test
  void theKernelHasWhatIsWantedAndARestartWritesNothing() {
    NodeImage image = shop();
    assertThat(backend.isBlank()).isTrue();
    assertThat(backend.preview(image)).contains("+ device kube-ipvs0");
    assertThat(backend.isBlank()).as("a preview writes nothing").isTrue();

    backend.sync(NodeChange.to(image));
    assertThat(ipvsadm("-Ln")).contains("TCP  10.96.20.10:80 rr");
    assertThat(namespace.ip("address", "show", "kube-ipvs0"))
        .contains("NOARP", "inet 10.96.20.10/32");
    assertThat(namespace.run("cat", "/proc/sys/net/ipv4/vs/conntrack").strip()).isEqualTo("1");
    assertThat(backend.preview(image)).isEmpty();
    assertThat(backend.audit(image)).isEqualTo(Audit.CLEAN);
    assertThat(backend.isBlank()).isFalse();

    ipvsadm("-A", "-t", "192.0.2.1:99");
    ipvsadm("-A", "-f", "7");
    namespace.ip("address", "add", "192.0.2.1/32", "dev", "kube-ipvs0");
    try (IpvsBackend careful =
        new IpvsBackend(
            options("rr", false, IpvsOptions.DEFAULT.timeouts(), Cidr.of("192.0.2.0/24")))) {
      assertThat(careful.preview(image)).as("excluded").isEmpty();
    }
    try (IpvsBackend restarted = another()) {
      assertThat(restarted.preview(image))
          .containsExactly("- tcp 192.0.2.1:99", "- address 192.0.2.1 on kube-ipvs0");
      restarted.sync(NodeChange.to(image));
      assertThat(restarted.preview(image)).isEmpty();
    }
    backend.cleanup();
    assertThat(ipvsadm("-Ln").lines().skip(3).map(String::strip))
        .as("a service by mark is another program's")
        .containsExactly("FWM  7 wlc");
    assertThat(namespace.ip("link")).doesNotContain("kube-ipvs0");
    backend.cleanup();
  }

  @Test
  void manyChangesLeaveExactlyWhatIsWanted() {
    Brain brain = new Brain(warning -> {});
    brain.apply(RandomCluster.event(0));
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    NodeImage applied = NodeImage.unsynced("n1");
    for (long seed = 1; seed < 60; seed++) {
      NodeImage image = view.image();
      backend.sync(NodeChange.between(applied, image));
      applied = image;
      if (seed % 10 == 0) {
        assertThat(backend.audit(image)).as("after event %d", seed).isEqualTo(Audit.CLEAN);
      }
      brain.apply(RandomCluster.event(seed));
    }
  }

  @Test
  void anEndpointThatLeavesKeepsItsConnectionsForSomeTime() throws Exception {
    namespace.ip("address", "add", "10.1.0.1/32", "dev", "lo");
    namespace.ip("address", "add", "10.1.0.2/32", "dev", "lo");
    NodeImage both = OneService.of(Protocol.TCP, "10.1.0.1:8080", "10.1.0.2:8080").image(1);
    NodeImage second = OneService.of(Protocol.TCP, "10.1.0.2:8080").image(2);
    NodeImage none = OneService.of(Protocol.TCP).image(3);
    backend.sync(NodeChange.to(OneService.of(Protocol.TCP, "10.1.0.1:8080").image(1)));
    try (ServerSocket listener = listen();
        Socket client = connect();
        Socket accepted = listener.accept()) {
      backend.sync(NodeChange.to(both));
      backend.sync(NodeChange.between(both, second));
      backend.sync(NodeChange.between(second, none));
      assertThat(servers()).containsExactly("10.1.0.1:8080 0", "10.1.0.2:8080 0");
      assertThat(backend.drift(none)).as("draining is not drift").isEmpty();
      assertThat(backend.preview(none)).containsExactly("- 10.1.0.2:8080 of tcp 10.96.0.10:80");
      backend.tidy();
      assertThat(servers()).as("no connections, no draining").containsExactly("10.1.0.1:8080 0");
      exchange(client, accepted);

      clock.now = clock.now.plus(Duration.ofMinutes(10));
      try (IpvsBackend restarted = another()) {
        restarted.sync(NodeChange.to(none));
        restarted.tidy();
        assertThat(servers()).containsExactly("10.1.0.1:8080 0");
        restarted.sync(NodeChange.between(none, both));
        assertThat(servers()).containsExactly("10.1.0.1:8080 1", "10.1.0.2:8080 1");
        restarted.sync(NodeChange.between(both, second));
        exchange(client, accepted);
        clock.now = clock.now.plus(Duration.ofMinutes(14));
        restarted.tidy();
        assertThat(servers()).containsExactly("10.1.0.1:8080 0", "10.1.0.2:8080 1");
      }
      clock.now = clock.now.plus(Duration.ofMinutes(1));
      try (IpvsBackend restarted = another()) {
        restarted.sync(NodeChange.to(second));
        assertThat(servers()).as("its time is up").containsExactly("10.1.0.2:8080 1");
      }
    }
  }

  private ServerSocket listen() {
    return namespace
        .namespace()
        .visit(() -> {
          try {
            return new ServerSocket(8080, 5, InetAddress.getByName("10.1.0.1"));
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private Socket connect() {
    return namespace
        .namespace()
        .visit(() -> {
          try {
            return new Socket(InetAddress.getByName("10.96.0.10"), 80);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void exchange(Socket client, Socket server) throws IOException {
    client.setSoTimeout(SECONDS * 1000);
    server.getOutputStream().write(7);
    assertThat(client.getInputStream().read()).isEqualTo(7);
  }

  /** The real servers with their weights. */
  private List<String> servers() {
    try (Ipvs ipvs = Ipvs.open(namespace.path()).orElseThrow()) {
      return ipvs.servers(new ServerKey(Ip.of("10.96.0.10"), Protocol.TCP, 80).service()).stream()
          .map(ServerEntry::server)
          .map(server -> server + " " + server.weight())
          .sorted()
          .toList();
    }
  }

  @Test
  void whatOthersDoIsNoticedAndUndoneAndTheNodesAddressesAreFollowed() throws Exception {
    NodeImage image =
        OneService.of(Protocol.TCP, "10.1.0.1:80").at(List.of(), List.of(), 30080).image(1);
    backend.sync(NodeChange.to(image));
    BlockingQueue<String> suspicions = new LinkedBlockingQueue<>();
    try (Backend.Watch _ = backend.watch(suspicions::add)) {
      ipvsadm("-C");
      await(suspicions, "is gone");
      assertThat(backend.audit(image).repaired()).isEqualTo(4);

      namespace.ip("link", "delete", "kube-ipvs0");
      await(suspicions, "device kube-ipvs0 was deleted");
      assertThat(backend.audit(image).repaired()).isEqualTo(2);

      namespace.ip("address", "delete", "10.96.0.10/32", "dev", "kube-ipvs0");
      await(suspicions, "address 10.96.0.10 was removed from kube-ipvs0");
      assertThat(backend.audit(image).repaired()).isEqualTo(1);

      namespace.ip("address", "add", "192.168.7.7/24", "dev", "eth0");
      await(suspicions, "address 192.168.7.7 is new on this node");
      assertThat(backend.audit(image)).as("no repair").isEqualTo(Audit.CLEAN);
      assertThat(ipvsadm("-Ln")).contains("192.168.7.7:30080", "192.168.0.11:30080");
      namespace.ip("address", "delete", "192.168.7.7/24", "dev", "eth0");
      await(suspicions, "address 192.168.7.7 left this node");
      assertThat(backend.audit(image)).isEqualTo(Audit.CLEAN);
      assertThat(ipvsadm("-Ln")).doesNotContain("192.168.7.7:30080");
      assertThat(backend.preview(image)).isEmpty();
    }
  }

  private static void await(BlockingQueue<String> suspicions, String text) {
    Await.text(text, () -> Await.next(suspicions));
  }

  @Test
  void whatIsInTheWayIsNamedAndTheRestIsDone() {
    namespace.ip("link", "add", "kube-ipvs0", "type", "bridge");
    ipvsadm("-A", "-t", "10.96.0.10:80");
    ipvsadm("-a", "-t", "10.96.0.10:80", "-r", "192.168.0.99:80", "-g");
    NodeImage image =
        OneService.of(Protocol.TCP, "10.1.0.1:8080")
            .at(List.of("203.0.113.5"), List.of(), 30080)
            .image(1);

    assertThatThrownBy(() -> backend.sync(NodeChange.to(image)))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "ipvs: virtual server tcp 10.96.0.10:80, which default/web:http needs, belongs to"
                + " another program: packets to its real server 192.168.0.99:80 are not translated;"
                + " delete it there; device kube-ipvs0 is not of kind dummy, so that it belongs to"
                + " another program; rename or delete it")
        .extracting(e -> ((BackendException) e).code())
        .isEqualTo(ErrorCode.FOREIGN_RULES);
    assertThat(ipvsadm("-Ln"))
        .contains("203.0.113.5:80 rr", "192.168.0.11:30080 rr", "-> 192.168.0.99:80");
    assertThatThrownBy(() -> backend.audit(image))
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.leavesRulesMissing()).isTrue());

    namespace.ip("link", "delete", "kube-ipvs0");
    ipvsadm("-D", "-t", "10.96.0.10:80");
    namespace.ip("address", "add", "203.0.113.5/32", "dev", "eth0");
    backend.sync(NodeChange.to(image));
    assertThat(namespace.ip("address", "show", "kube-ipvs0"))
        .as("an address that another device has stays there alone")
        .contains("10.96.0.10/32")
        .doesNotContain("203.0.113.5");
    assertThat(backend.shortfall(port(image)))
        .contains(
            "another device of this node has 203.0.113.5 already, and keeps it; if that is not"
                + " intended, delete it there");
  }

  private static ServicePort port(NodeImage image) {
    return image.services().iterator().next().ports().getFirst();
  }

  @Test
  void everySchedulerAndOptionIsSetAndAMissingSchedulerIsNamed() {
    try (Ipvs ipvs = Ipvs.open(namespace.path()).orElseThrow()) {
      for (String scheduler : "rr wrr lc wlc lblc lblcr sh dh sed nq mh fo ovf".split(" ", -1)) {
        IpvsRequirements.check(ipvs, scheduler);
      }
      assertThat(ipvs.services()).isEmpty();
    }
    IpvsOptions unusual = options("mh", true, new Timeouts(100, 0, 50));
    try (IpvsBackend other = new IpvsBackend(unusual)) {
      other.sync(NodeChange.to(OneService.of(Protocol.UDP, "10.1.0.1:53").affinity(60).image(1)));
      assertThat(ipvsadm("-Ln")).contains("UDP  10.96.0.10:80 mh (mh-port) persistent 60");
      assertThat(ipvsadm("-L", "--timeout")).contains("100 120 50");
      assertThat(namespace.run("cat", "/proc/sys/net/ipv4/conf/all/arp_announce").strip())
          .isEqualTo("2");
    }
    assertThatThrownBy(
            () -> new IpvsBackend(options("wrong", false, IpvsOptions.DEFAULT.timeouts())))
        .hasMessage(
            "ipvs: this kernel does not have the scheduler wrong; load the module ip_vs_wrong, or"
                + " choose another one with --ipvs-scheduler")
        .extracting(e -> ((BackendException) e).code())
        .isEqualTo(ErrorCode.HOST);
  }
}
