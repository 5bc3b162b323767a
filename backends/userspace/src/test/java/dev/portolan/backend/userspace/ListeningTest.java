package dev.portolan.backend.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.backend.userspace.AccessEntry.Ending;
import dev.portolan.core.backend.TrafficCount;
import dev.portolan.core.backend.TrafficCount.Kind;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.Verdict;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Portals that clients connect to themselves, on loopback addresses, without privileges. */
@Timeout(60)
final class ListeningTest {
  private static final int FAILED = 20_000;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final BlockingQueue<AccessEntry> entries = new LinkedBlockingQueue<>();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private UserspaceBackend backend = open(Duration.ZERO, Duration.ofSeconds(30));
  private NodeImage applied = NodeImage.unsynced("worker-1");

  private UserspaceBackend open(Duration drain, Duration udpIdle) {
    return new UserspaceBackend(
        UserspaceOptions.DEFAULT
            .with(Portals.LISTEN)
            .drain(drain)
            .udpIdle(udpIdle)
            .access(entries::add)
            .log(said::add));
  }

  @AfterEach
  void close() throws Exception {
    backend.close();
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private void apply(Shop.Web web) {
    NodeImage next = web.image(applied.revision() + 1);
    backend.sync(NodeChange.between(applied, next));
    applied = next;
  }

  private static Endpoint at(ServerSocket server) {
    return new Endpoint(
        Ip.fromBytes(server.getInetAddress().getAddress()), server.getLocalPort(), "");
  }

  private ServerSocket server(String address) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral(address));
    server.setSoTimeout(FAILED);
    opened.add(server);
    return server;
  }

  /** A server that answers each connection with its name when the client has said all. */
  private Endpoint named(String name) throws IOException {
    ServerSocket server = server("127.0.0.1");
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              try (Socket client = server.accept()) {
                String asked =
                    new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                client.getOutputStream().write((asked + name).getBytes(StandardCharsets.UTF_8));
              }
            }
          } catch (IOException e) {
            // The test is over.
          }
        });
    return at(server);
  }

  /** An endpoint that refuses, because its port is closed. */
  private static Endpoint refusing() {
    return new Endpoint(Ip.of("127.0.0.1"), FreePort.next(), "");
  }

  private Socket connect() throws IOException {
    Socket client = new Socket("127.96.0.10", 8_080);
    client.setSoTimeout(FAILED);
    opened.add(client);
    return client;
  }

  /** A connection may slip in while the door closes, and is reset or cut off. */
  private static void assertRefused() {
    Await.until(
        "a refusal",
        () -> {
          try (Socket _ = new Socket("127.96.0.10", 8_080)) {
            return false;
          } catch (ConnectException e) {
            return true;
          }
        });
  }

  private static String ask(Socket client, String question) throws IOException {
    client.getOutputStream().write(question.getBytes(StandardCharsets.UTF_8));
    client.shutdownOutput();
    return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private AccessEntry entry() throws InterruptedException {
    AccessEntry entry = entries.poll(FAILED, TimeUnit.MILLISECONDS);
    assertThat(entry).as("a connection that ended").isNotNull();
    return entry;
  }

  @Test
  void endpointsTakeTurnsAndEachConnectionIsLogged() throws Exception {
    Endpoint first = named("one");
    apply(Shop.web(first, named("two")));
    assertThat(said)
        .containsExactly(
            "default/web:http ClusterIP 10.96.0.10:8080/TCP is served on 127.96.0.10:8080");
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      answers.add(ask(connect(), "I am "));
    }
    assertThat(answers.subList(0, 2)).containsExactlyInAnyOrder("I am one", "I am two");
    assertThat(answers.subList(2, 4)).isEqualTo(answers.subList(0, 2));
    AccessEntry entry = entry();
    assertThat(entry.toString())
        .matches(
            "tcp default/web:http 127\\.0\\.0\\.1:\\d+ 127\\.0\\.0\\.1:\\d+ in=5 out=8 time=\\d+ms"
                + " end=closed");
  }

  @Test
  void whatPassesThroughIsCounted() throws Exception {
    apply(Shop.web(named("one")));
    for (int i = 0; i < 3; i++) {
      assertThat(ask(connect(), "I am ")).isEqualTo("I am one");
      AccessEntry _ = entry();
    }
    assertThat(count(Kind.CONNECTIONS)).isEqualTo(3);
    assertThat(count(Kind.BYTES_IN)).isEqualTo(3 * 5);
    assertThat(count(Kind.BYTES_OUT)).isEqualTo(3 * 8);
    assertThat(count(Kind.REFUSED) + count(Kind.DROPPED)).isZero();

    apply(Shop.web(udp("two")).of(Protocol.UDP));
    DatagramSocket client = udpClient();
    for (int i = 0; i < 4; i++) {
      String _ = ask(client, 3);
    }
    assertThat(count(Kind.CONNECTIONS)).isEqualTo(1);
  }

  private long count(Kind kind) {
    return backend.traffic().stream()
        .filter(each -> each.kind() == kind)
        .mapToLong(TrafficCount::count)
        .sum();
  }

  @Test
  void aClientStaysWithItsEndpoint() throws Exception {
    apply(Shop.web(named("one"), named("two")).staying(60));
    String first = ask(connect(), "");
    assertThat(ask(connect(), "")).isEqualTo(first);
    assertThat(ask(connect(), "")).isEqualTo(first);
  }

  @Test
  void theNextEndpointIsTriedAndAtLastTheClientIsCutOff() throws Exception {
    Endpoint good = named("good");
    apply(Shop.web(refusing(), refusing(), good));
    for (int i = 0; i < 3; i++) {
      assertThat(ask(connect(), "")).isEqualTo("good");
      assertThat(entry().endpoint()).contains(good);
    }
    apply(Shop.web(refusing()));
    Socket client = connect();
    assertThatThrownBy(
            () -> {
              int end = client.getInputStream().read();
              assertThat(end).as("what was read").isNegative();
            })
        .isInstanceOf(IOException.class);
    assertThat(entry().ending()).isEqualTo(Ending.UNREACHABLE);
  }

  @Test
  void aResetReachesTheOtherSide() throws Exception {
    ServerSocket server = server("127.0.0.1");
    apply(Shop.web(at(server)));
    Socket first = connect();
    // An endpoint that resets before it is connected in the eyes of the proxy is tried again.
    first.getOutputStream().write(1);
    try (Socket accepted = server.accept()) {
      assertThat(accepted.getInputStream().read()).isEqualTo(1);
      accepted.setSoLinger(true, 0);
    }
    assertThatThrownBy(() -> first.getInputStream().read()).isInstanceOf(IOException.class);
    assertThat(entry().ending()).isEqualTo(Ending.ENDPOINT_RESET);
    Socket second = connect();
    try (Socket accepted = server.accept()) {
      second.setSoLinger(true, 0);
      second.close();
      assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(IOException.class);
    }
    assertThat(entry().ending()).isEqualTo(Ending.CLIENT_RESET);
  }

  @Test
  void runningConnectionsStayWhenEndpointsAndTheServiceGo() throws Exception {
    ServerSocket server = server("127.0.0.1");
    apply(Shop.web(at(server)));
    Socket client = connect();
    try (Socket accepted = server.accept()) {
      apply(Shop.web(named("other")));
      assertThat(ask(connect(), "")).isEqualTo("other");
      apply(Shop.web());
      assertRefused();
      client.getOutputStream().write(7);
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
      accepted.getOutputStream().write(8);
      assertThat(client.getInputStream().read()).isEqualTo(8);
    }
  }

  @Test
  void aServiceThatComesBackIsWhereItWasAndLeavesNoSocket() throws Exception {
    Endpoint one = named("one");
    long before = 0;
    for (int i = 0; i < 200; i++) {
      apply(Shop.web(one));
      try (Socket client = connect()) {
        assertThat(ask(client, "")).isEqualTo("one");
      }
      apply(Shop.web());
      assertRefused();
      before = i == 0 ? openFiles() : before;
    }
    assertThat(openFiles()).isLessThan(before + 100);
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  @Test
  void aClientThatDoesNotReadHoldsUpOnlyItself() throws Exception {
    ServerSocket server = server("127.0.0.1");
    apply(Shop.web(at(server)));
    Socket slow = connect();
    CompletableFuture<Long> all = new CompletableFuture<>();
    Socket toSlow = server.accept();
    opened.add(toSlow);
    long size = 64L << 20;
    Thread.ofVirtual()
        .start(() -> {
          try {
            byte[] part = new byte[1 << 16];
            for (long sent = 0; sent < size; sent += part.length) {
              toSlow.getOutputStream().write(part);
            }
            toSlow.shutdownOutput();
            all.complete(size);
          } catch (IOException e) {
            all.completeExceptionally(e);
          }
        });
    for (int i = 0; i < 20; i++) {
      Socket quick = connect();
      try (Socket accepted = server.accept()) {
        accepted.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
      }
      assertThat(ask(quick, "")).isEqualTo("hello");
    }
    assertThat(all).as("nothing keeps what a client does not read").isNotDone();
    long read = 0;
    byte[] part = new byte[1 << 16];
    for (int n = slow.getInputStream().read(part); n >= 0; n = slow.getInputStream().read(part)) {
      read += n;
    }
    assertThat(read).isEqualTo(size);
  }

  @Test
  void whatIsRejectedIsRefusedAndWhatIsDroppedGetsNoAnswer() throws Exception {
    Endpoint endpoint = named("one");
    apply(Shop.web(endpoint).with(Verdict.DROP));
    Socket client = connect();
    client.setSoTimeout(200);
    client.getOutputStream().write(1);
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    client.close();
    assertThat(entry().ending()).isEqualTo(Ending.DROPPED);
    apply(Shop.web(endpoint).with(Verdict.REJECT));
    assertRefused();
  }

  @Test
  void sourceRangesHoldForLoadBalancersAlone() throws Exception {
    Endpoint endpoint = named("one");
    apply(Shop.web(endpoint).onlyFrom("198.51.100.0/24"));
    assertThat(ask(connect(), "")).isEqualTo("one");
    Socket client = new Socket("127.0.113.5", 8_080);
    opened.add(client);
    client.setSoTimeout(200);
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    apply(Shop.web(endpoint).onlyFrom("192.0.2.0/24"));
    Socket allowed = new Socket("127.0.113.5", 8_080);
    opened.add(allowed);
    assertThat(ask(allowed, "")).as("the node itself is in the range").isEqualTo("one");
  }

  @Test
  void ipv6IsServedOnAPortOfLocalhost() throws Exception {
    ServerSocket server = server("::1");
    apply(Shop.web(at(server)).at("fd10:96::10"));
    assertThat(said).hasSize(1);
    String line = said.getFirst();
    assertThat(line)
        .startsWith("default/web:http ClusterIP [fd10:96::10]:8080/TCP is served on [::1]:");
    Socket client =
        new Socket(
            InetAddress.ofLiteral("::1"),
            Integer.parseInt(line.substring(line.lastIndexOf(':') + 1)));
    opened.add(client);
    try (Socket accepted = server.accept()) {
      accepted.getOutputStream().write(6);
    }
    assertThat(client.getInputStream().read()).isEqualTo(6);
  }

  @Test
  void aStopWaitsForConnectionsThatEndInTime() throws Exception {
    backend.close();
    backend = open(Duration.ofSeconds(50), Duration.ofSeconds(30));
    ServerSocket server = server("127.0.0.1");
    apply(Shop.web(at(server)));
    Socket client = connect();
    Thread stop;
    try (Socket accepted = server.accept()) {
      stop = Thread.ofPlatform().start(backend::close);
      Await.until("a word", () -> said.contains("waiting up to 50 s for 1 open connection"));
      assertRefused();
      assertThat(stop.isAlive()).isTrue();
      accepted.getOutputStream().write(9);
      assertThat(client.getInputStream().read()).isEqualTo(9);
    }
    client.close();
    stop.join();
    assertThat(entries).extracting(AccessEntry::ending).doesNotContain(Ending.STOPPED);
  }

  @Test
  void aStopCutsOffWhatDoesNotEndInTime() throws Exception {
    ServerSocket server = server("127.0.0.1");
    apply(Shop.web(at(server)));
    Socket client = connect();
    try (Socket _ = server.accept()) {
      backend.close();
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
    }
    assertThat(entry().ending()).isEqualTo(Ending.STOPPED);
  }

  /** A server of UDP that answers with its name, and the port that the question came from. */
  private Endpoint udp(String name) throws IOException {
    DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
    opened.add(socket);
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              DatagramPacket packet = new DatagramPacket(new byte[70_000], 70_000);
              socket.receive(packet);
              byte[] answer = (name + " " + packet.getLength()).getBytes(StandardCharsets.UTF_8);
              socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
          } catch (IOException e) {
            // The test is over.
          }
        });
    return new Endpoint(Ip.of("127.0.0.1"), socket.getLocalPort(), "");
  }

  private DatagramSocket udpClient() throws IOException {
    DatagramSocket client = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
    client.setSoTimeout(FAILED);
    client.connect(InetAddress.ofLiteral("127.96.0.10"), 8_080);
    opened.add(client);
    return client;
  }

  private static String ask(DatagramSocket client, int size) throws IOException {
    client.send(new DatagramPacket(new byte[size], size));
    DatagramPacket answer = new DatagramPacket(new byte[100], 100);
    client.receive(answer);
    return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
  }

  @Test
  void aClientOfUdpStaysUntilItsEndpointGoes() throws Exception {
    Endpoint one = udp("one");
    Endpoint two = udp("two");
    apply(Shop.web(one, two).of(Protocol.UDP));
    DatagramSocket client = udpClient();
    String first = ask(client, 3);
    assertThat(ask(client, 3)).isEqualTo(first);
    assertThat(ask(client, 60_000)).as("a large packet").endsWith(" 60000");
    assertThat(ask(udpClient(), 3)).as("another client").isNotEqualTo(first);
    apply(Shop.web(first.startsWith("one") ? two : one).of(Protocol.UDP));
    assertThat(ask(client, 3)).isNotEqualTo(first);
    assertThat(entry().ending()).isEqualTo(Ending.ENDPOINT_GONE);
  }

  @Test
  void aServiceOfUdpThatComesBackIsWhereItWas() throws Exception {
    Endpoint one = udp("one");
    DatagramSocket client = udpClient();
    for (int i = 0; i < 200; i++) {
      apply(Shop.web(one).of(Protocol.UDP));
      assertThat(ask(client, 3)).startsWith("one");
      apply(Shop.web().of(Protocol.UDP));
    }
  }

  @Test
  void aClientOfUdpIsForgottenWhenItIsIdle() throws Exception {
    backend.close();
    // Long enough for an answer on a busy machine.
    backend = open(Duration.ZERO, Duration.ofSeconds(1));
    apply(Shop.web(udp("one"), udp("two")).of(Protocol.UDP));
    DatagramSocket client = udpClient();
    String first = ask(client, 3);
    AccessEntry entry = entry();
    assertThat(entry.ending()).isEqualTo(Ending.IDLE);
    assertThat(entry.fromClient()).isEqualTo(3);
    assertThat(entry.toClient()).isEqualTo(first.length());
    assertThat(ask(client, 3)).as("the next in turn").isNotEqualTo(first);
  }
}
