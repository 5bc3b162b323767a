package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.bpf.BpfPlace;
import dev.portolan.sessions.Shell;
import dev.portolan.testbase.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real daemon in mode ebpf, beside a client that never stops connecting. Only that client is in
 * the cgroup whose sockets are translated.
 */
@NeedsPeers(tools = {"nsenter", "setpriv", "conntrack", "iptables-restore"})
final class EbpfModeTest extends DaemonOnNode {
  private static final String SERVICE = "10.97.7.1";
  private static final String POD = "10.128.7.1";
  private static final int ENOUGH = 20;

  @TempDir private Path folder;
  private BpfPlace place;
  private Client client;

  @BeforeAll
  static void createService() {
    plane.request(
        "POST",
        "/api/v1/namespaces/default/services",
        """
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},
         "spec":{"clusterIP":"%s","ports":[{"name":"http","port":80,"protocol":"TCP"}]}}
        """
            .formatted(SERVICE));
    plane.request(
        "POST",
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        """
        {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",
         "metadata":{"name":"web-1","labels":{"kubernetes.io/service-name":"web"}},
         "addressType":"IPv4","endpoints":[{"addresses":["%s"]}],
         "ports":[{"name":"http","port":8080,"protocol":"TCP"}]}
        """
            .formatted(POD));
  }

  @BeforeEach
  void prepare() {
    place = BpfPlace.make();
    host.namespace().ip("address", "add", POD, "dev", "lo");
    host.namespace().ip("route", "add", "10.96.0.0/12", "dev", "lo");
    client = new Client();
  }

  @AfterEach
  void release() throws Exception {
    client.close();
    place.close();
  }

  /** Connects in a loop, as a process of a pod would. */
  private final class Client implements AutoCloseable {
    private final AtomicInteger answers = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final Lock turn = new ReentrantLock();
    private volatile boolean wanted;
    private volatile boolean closed;
    private final Thread thread = Thread.ofPlatform().name("client").unstarted(this::run);

    Client() {
      try {
        server =
            host.namespace()
                .namespace()
                .visit(() -> new ServerSocket(8080, 100, InetAddress.ofLiteral(POD)));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      Thread.ofPlatform().daemon().name("server").start(this::serve);
      thread.start();
    }

    private void serve() {
      while (!closed) {
        try (Socket accepted = server.accept()) {
          accepted.getOutputStream().write('!');
        } catch (IOException e) {
          if (!closed) {
            failures.add("server: " + e);
          }
        }
      }
    }

    private void run() {
      host.namespace()
          .namespace()
          .visit(() -> {
            place.enter();
            while (!closed) {
              if (wanted) {
                between(this::ask);
              }
              LockSupport.parkNanos(2_000_000);
            }
            return true;
          });
    }

    /** Does something while no connection is open. */
    void between(Runnable step) {
      turn.lock();
      try {
        step.run();
      } finally {
        turn.unlock();
      }
    }

    private void ask() {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.ofLiteral(SERVICE), 80), 10_000);
        socket.setSoTimeout(10_000);
        if (socket.getInputStream().read() == '!') {
          answers.incrementAndGet();
        } else {
          failures.add("no answer");
        }
      } catch (IOException e) {
        failures.add(e.toString());
      }
    }

    /** Waits until it was answered some more times. */
    void awaitAnswers() throws InterruptedException {
      wanted = true;
      int before = answers.get();
      Await.until(failures::toString, () -> answers.get() > before + ENOUGH || !failures.isEmpty());
      assertThat(failures).isEmpty();
    }

    @Override
    public void close() throws IOException {
      closed = true;
      server.close();
      try {
        thread.join(60_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Path configuration(String mode) throws IOException {
    Path draft =
        Files.writeString(
            folder.resolve("draft"),
            """
            apiVersion: kubeproxy.config.k8s.io/v1alpha1
            kind: KubeProxyConfiguration
            mode: %s
            clusterCIDR: 10.128.0.0/9
            hostnameOverride: node-0
            clientConnection: {kubeconfig: %s}
            conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
            oomScoreAdj: 0
            nftables: {syncPeriod: 1s, minSyncPeriod: 100ms}
            """
                .formatted(mode, plane.kubeconfig()));
    return Files.move(
        draft,
        folder.resolve("config.yaml"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  /** Without the mounts of a namespace of its own: those of {@code ip netns exec} hide cgroups. */
  private List<String> inside() {
    return List.of("nsenter", "--net=" + host.namespace().path().orElseThrow());
  }

  private Daemon start(String mode, Path pins) throws IOException {
    return start(inside(), mode, pins);
  }

  private Daemon start(List<String> place, String mode, Path pins, String... more)
      throws IOException {
    List<String> flags =
        List.of(
            "--config=" + configuration(mode),
            "--ebpf-cgroup=" + this.place.cgroup(),
            "--ebpf-pins=" + pins);
    return Daemon.start(place, Stream.concat(flags.stream(), Stream.of(more)).toList());
  }

  private Path pins() {
    return place.folder().resolve("pins");
  }

  /** Whether connections that begin now go through rules; a translated socket asks for none. */
  private boolean goesThroughRules() throws Exception {
    client.between(() -> host.namespace().run("conntrack", "-F"));
    client.awaitAnswers();
    return host.namespace().run("conntrack", "-L").contains("dst=" + SERVICE);
  }

  private String metrics() throws Exception {
    return host.management("/metrics").body();
  }

  private static String events() {
    return plane.request("GET", "/apis/events.k8s.io/v1/namespaces/default/events", "");
  }

  @Test
  void aNodeMovesToItAndAwayFromItWithoutAGap() throws Exception {
    try (Daemon daemon = start("nftables", pins())) {
      daemon.awaitSync();
      assertThat(goesThroughRules()).isTrue();
      int starts = 1;
      for (String mode : List.of("ebpf", "iptables", "ebpf", "nftables")) {
        configuration(mode);
        daemon.awaitLog("Synced for the first time", ++starts);
        boolean sockets = mode.equals("ebpf");
        Await.until(daemon::log, () -> Files.exists(pins()) == sockets);
        Await.until(daemon::log, () -> goesThroughRules() != sockets);
        client.awaitAnswers();
        assertThat(host.management("/proxyMode").body()).isEqualTo(mode);
        assertThat(host.ruleset().contains("table ip portolan ")).isEqualTo(sockets || starts == 5);
        assertThat(metrics().contains("\nportolan_ebpf_active 1\n")).isEqualTo(sockets);
      }
      assertThat(daemon.log()).contains("what=\"ebpf: programs and maps in " + pins());
    }
  }

  @Test
  void damageIsRepairedADeadDaemonLeavesItAndTheNextModeRemovesIt() throws Exception {
    String where = "--netns=" + host.namespace().path().orElseThrow();
    try (Daemon daemon = start("ebpf", pins())) {
      daemon.awaitSync();
      assertThat(goesThroughRules()).isFalse();
      Files.delete(pins().resolve("connect4"));
      Files.delete(pins().resolve("connect6"));
      daemon.awaitLog("Repaired the rules", 1);
      assertThat(goesThroughRules()).isFalse();
      Shell.Result held = Shell.run("cleanup", where, "--ebpf-pins=" + pins());
      assertThat(held.status()).isNotZero();
      assertThat(held.err()).contains("a running Portolan would put the rules of");
    }
    client.awaitAnswers();
    assertThat(goesThroughRules()).isFalse();
    assertThat(Shell.run("doctor", where, "--ebpf-pins=" + pins()).out())
        .containsPattern("ok +kernel.bpf")
        .contains("mode ebpf");

    // The first step of another mode, without CAP_BPF; the rules of this one still serve.
    List<String> words = new ArrayList<>(inside());
    words.addAll(List.of("setpriv", "--bounding-set=-all,+net_admin", "--inh-caps=-all"));
    try (Daemon init = start(words, "nftables", pins(), "--init-only")) {
      assertThat(init.awaitEnd()).as(init::log).isZero();
      assertThat(init.log()).contains("what=\"ebpf: programs and maps in " + pins());
    }
    assertThat(pins()).doesNotExist();
    assertThat(goesThroughRules()).isTrue();
    assertThat(Shell.run("cleanup", where).out()).contains("nftables: table ip portolan");
  }

  @Test
  void withoutABpffsRulesServeAndItIsSaidUntilThereIsOne() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    try (Daemon daemon = start("ebpf", elsewhere.resolve("pins"))) {
      daemon.awaitSync();
      assertThat(goesThroughRules()).isTrue();
      assertThat(daemon.log())
          .containsPattern(
              "Mode ebpf works without its programs.*code=\"PORT-302\".*is not in a bpffs");
      assertThat(metrics()).contains("\nportolan_ebpf_active 0\n");
      Await.until(EbpfModeTest::events, () -> events().contains("SocketsNotTranslated"));
      mount("mount", "-t", "bpf", "bpf", elsewhere.toString());
      try {
        daemon.awaitLog("Sockets are translated again", 1);
        assertThat(goesThroughRules()).isFalse();
        assertThat(metrics()).contains("\nportolan_ebpf_active 1\n");
        Await.until(EbpfModeTest::events, () -> events().contains("SocketsTranslated"));
      } finally {
        mount("umount", elsewhere.toString());
      }
    }
  }

  private static void mount(String... words) throws Exception {
    assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
  }
}
