package dev.portolan.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.Methods;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.testbase.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A backend of the library shows its health and metrics where its flags say. */
final class ServedStatusTest {
  private final World world = new World();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Portolan program =
      new Portolan(
          new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
          new PrintStream(err, true, UTF_8));

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .timeout(Await.PATIENCE)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static boolean isApplied(int port) throws Exception {
    try {
      return get(port, "/metrics").body().contains("portolan_revision{state=\"applied\"} 1");
    } catch (ConnectException e) {
      return false; // The stream may begin before the port is open.
    }
  }

  private void serves(Consumer<List<String>> start) throws Exception {
    int healthz = freePort();
    int metrics = freePort();
    try (ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      List<String> args =
          List.of(
              "--api=" + server.address,
              "--node-name=n1",
              "--healthz-bind-address=127.0.0.1:" + healthz,
              "--metrics-bind-address=127.0.0.1:" + metrics,
              "--health-check-node-ports");
      Thread thread = Thread.ofVirtual().start(() -> start.accept(args));
      server.stream().whole(world.image(), 7, 4);
      Await.until("it is applied", () -> isApplied(metrics));
      assertThat(get(healthz, "/livez").statusCode()).isEqualTo(200);
      thread.interrupt();
      assertThat(thread.join(Await.PATIENCE)).isTrue();
    }
  }

  @Test
  void aBackendDoes() throws Exception {
    serves(args -> program.execute(args, new RecordingBackend()));
  }

  @Test
  void aFunctionDoes() throws Exception {
    serves(args -> program.execute(args, state -> {}));
  }

  @Test
  void aTakenPortEndsTheProgramWithASentence() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ScriptedServer<WatchReq> server = ScriptedServer.inProcess(Methods.LOCAL_WATCH)) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertThat(
              program.execute(
                  List.of("--api=" + server.address, "--healthz-bind-address=" + address),
                  new RecordingBackend()))
          .isEqualTo(1);
      assertThat(err.toString(UTF_8))
          .startsWith("cannot serve health on " + address)
          .contains("--healthz-bind-address");
    }
  }

  @Test
  void anAddressThatIsNoneGetsASentence() {
    assertThat(program.execute(List.of("--metrics-bind-address=here"), state -> {})).isEqualTo(2);
    assertThat(err.toString(UTF_8)).startsWith("--metrics-bind-address: ");
  }
}
