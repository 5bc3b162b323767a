package dev.portolan.client;

import static dev.portolan.client.World.NODE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.api.Methods;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.api.transport.Address;
import dev.portolan.api.v1.ExplainRequest;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import dev.portolan.tls.TlsException;
import dev.portolan.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages when a server is unreachable or not a Portolan server. */
final class FailureTest {
  private static final Connection.Options HASTY =
      Connection.Options.DEFAULT.keepAlive(Duration.ofSeconds(10), Duration.ofSeconds(1));

  @TempDir Path folder;
  private final World world = new World();
  private final Told told = new Told();

  /** The deadlines here are short: on a busy machine, an attempt may fail before one succeeds. */
  private void awaitConnected() throws InterruptedException {
    List<String> failed = new ArrayList<>();
    for (String said = Await.next(told.events);
        !said.equals("connected");
        said = Await.next(told.events)) {
      failed.add(said);
    }
    assertThat(failed).allMatch(said -> said.contains("does not answer"));
  }

  @Test
  void aSocketThatIsNotThereYet() throws Exception {
    Path socket = folder.resolve("api.sock");
    try (Connection connection = open(new Address.Unix(socket));
        RemoteNode node = follow(connection)) {
      assertThat(Await.next(told.events))
          .isEqualTo("unix://" + socket + ": no such socket; is 'portolan brain' running?");
      try (ScriptedServer<WatchReq> server = ScriptedServer.unix(socket, Methods.LOCAL_WATCH)) {
        server.stream().whole(world.image(), 7, 1);
        awaitConnected();
        Await.until("the image", () -> node.image().sameAs(world.image()));
      }
      assertThat(Await.next(told.events)).startsWith("unix://" + socket + ": ");
      try (ScriptedServer<WatchReq> server = ScriptedServer.unix(socket, Methods.LOCAL_WATCH)) {
        ScriptedServer<WatchReq>.Stream stream = server.stream();
        assertThat(Position.of(stream.request().getResume())).isEqualTo(new Position(7, 1));
        assertThat(node.image().revision()).isEqualTo(1);
      }
    }
  }

  @Test
  void aServerThatCannotExplain() throws Exception {
    Path socket = folder.resolve("api.sock");
    try (ScriptedServer<WatchReq> _ = ScriptedServer.unix(socket, Methods.LOCAL_WATCH);
        Connection connection = open(new Address.Unix(socket))) {
      assertThatThrownBy(
              () -> connection.explain(ExplainRequest.getDefaultInstance(), Duration.ofSeconds(30)))
          .isInstanceOf(ConnectionException.class)
          .hasMessage(
              "unix://%s: the server there cannot explain: it is older than this program, or not Portolan's; explain its cluster here, with --from api:unix://%s"
                  .formatted(socket, socket));
    }
  }

  @Test
  void aSocketThatNobodyListensOn() throws Exception {
    Path socket = folder.resolve("api.sock");
    Files.createFile(socket);
    assertTold(
        new Address.Unix(socket),
        "unix://" + socket + ": connection refused; is 'portolan brain' running?");
  }

  @Test
  void aPortThatNobodyListensOn() throws Exception {
    int port = FreePort.next();
    assertTold(
        new Address.Tcp("127.0.0.1", port),
        "tcp://127.0.0.1:" + port + ": connection refused; is 'portolan brain' running?");
  }

  @Test
  void aNameThatNobodyHasInThisProcess() throws Exception {
    assertTold(
        new Address.InProcess("nobody"),
        "inprocess:nobody: no server with that name in this process; start it first");
  }

  @Test
  void aServerThatNeverSpeaks() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertTold(
          new Address.Tcp("127.0.0.1", silent.getLocalPort()),
          "tcp://127.0.0.1:"
              + silent.getLocalPort()
              + ": the server does not answer; is it stopped or overloaded?");
    }
  }

  @Test
  void aServerThatSpeaksAnotherLanguage() throws Exception {
    try (ServerSocket web = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerAsAWebServer(web));
      try (Connection connection = open(new Address.Tcp("127.0.0.1", web.getLocalPort()));
          RemoteNode node = follow(connection)) {
        assertThat(Await.next(told.events)).contains("check the address", "certificates");
        assertThat(node.image().isSynced()).isFalse();
      }
    }
  }

  private static void answerAsAWebServer(ServerSocket web) {
    try {
      while (true) {
        try (Socket client = web.accept()) {
          client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
          client.getInputStream().readNBytes(24);
        }
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  @Test
  void aPathThatIsTooLong() throws Exception {
    Path socket = folder.resolve("x".repeat(120));
    try (Connection connection = open(new Address.Unix(socket));
        RemoteNode node = follow(connection)) {
      assertThat(Await.next(told.events)).contains("too long");
      assertThat(node.image().isSynced()).isFalse();
    }
  }

  @Test
  void anAddressWithoutAHost() {
    for (String address : List.of(":12090", "tcp://host:0")) {
      assertThatThrownBy(() -> open(Address.parse(address)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a client needs a host and a port");
    }
  }

  @Test
  void aConnectionThatFallsSilent() throws Exception {
    Path socket = folder.resolve("api.sock");
    try (ScriptedServer<WatchReq> server = ScriptedServer.unix(socket, Methods.LOCAL_WATCH);
        ChaosProxy proxy = ChaosProxy.before(socket);
        Connection connection = open(proxy.address());
        RemoteNode node = follow(connection)) {
      server.stream().whole(world.image(), 7, 1);
      Await.until("the first state", () -> node.image().isSynced());
      proxy.freeze();
      awaitConnected();
      assertThat(Await.next(told.events))
          .isEqualTo(
              proxy.address()
                  + ": the server stopped responding; is it stopped, or is the network down?");
      assertThat(node.image().sameAs(world.image())).isTrue();
      proxy.thaw();
      assertThat(Position.of(server.stream().request().getResume())).isEqualTo(new Position(7, 1));
    }
  }

  @Test
  void anItemThatIsTooLarge() throws Exception {
    Path socket = folder.resolve("api.sock");
    try (ScriptedServer<WatchReq> server = ScriptedServer.unix(socket, Methods.LOCAL_WATCH);
        Connection connection =
            Connection.open(server.address, Optional.empty(), HASTY.mostMessageBytes(10_000));
        RemoteNode node = follow(connection)) {
      Service large = Service.newBuilder().setName("x".repeat(20_000)).build();
      server.stream().send(StreamItem.RESET, StreamItem.set(Set.ServicesSet, "shop/x", large));
      awaitConnected();
      assertThat(Await.next(told.events))
          .matches(
              "unix://.*: the server sent an item of 20\\d\\d\\d bytes, but at most 10000 are"
                  + " allowed; raise --max-msg-size");
      server.stream().whole(world.image(), 7, 1);
      Await.until("the state", () -> node.image().isSynced());
    }
  }

  @Test
  void aServerThatSpeaksSomethingElse() throws Exception {
    Path socket = folder.resolve("api.sock");
    try (ScriptedServer<?> server = ScriptedServer.unix(socket, Methods.GLOBAL_WATCH)) {
      try (Connection connection = open(server.address);
          RemoteNode node = follow(connection)) {
        Await.until(
            "a sentence",
            () ->
                told.events.stream()
                    .anyMatch(sentence -> sentence.contains("does not support this API")));
        assertThat(node.image().isSynced()).isFalse();
        assertThatThrownBy(connection::nodes)
            .isInstanceOf(ConnectionException.class)
            .hasMessageContaining("is it a 'portolan brain'?");
      }
    }
  }

  @Test
  void certificatesThatAreNotThere() {
    TlsFiles files =
        new TlsFiles(folder.resolve("a.key"), folder.resolve("a.crt"), folder.resolve("ca.crt"));
    assertThatThrownBy(() -> Connection.open(new Address.Tcp("127.0.0.1", 1), Optional.of(files)))
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("a.key");
    assertThatThrownBy(
            () -> Connection.open(new Address.Unix(folder.resolve("x")), Optional.of(files)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("certificates are for tcp:// addresses");
  }

  private void assertTold(Address address, String sentence) throws Exception {
    try (Connection connection = open(address);
        RemoteNode node = follow(connection)) {
      assertThat(Await.next(told.events)).isEqualTo(sentence);
      assertThat(node.link().lastError()).contains(sentence);
      assertThat(node.link().connectedSince()).isEmpty();
    }
  }

  private static Connection open(Address address) throws TlsException {
    return Connection.open(address, Optional.empty(), HASTY);
  }

  private RemoteNode follow(Connection connection) {
    return RemoteNode.open(
        connection, Subscription.of(NODE).errorDelay(Duration.ofMillis(50)).listener(told));
  }
}
