package dev.portolan.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Certificates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proxy between the client and the server. */
@Timeout(60)
class HttpProxyTest {
  @Test
  void a_server_with_tls_is_reached_through_a_tunnel() throws Exception {
    try (Tunnel proxy = new Tunnel();
        TestServer server = TestServer.secure("server")) {
      Trust trust =
          new Trust(
              Optional.of(Material.of(Certificates.made().certificate("authority"))),
              false,
              Optional.empty());
      ApiAccess access =
          ApiAccess.of(server.address(), trust)
              .withCredentials(
                  StoredCredentials.none()
                      .withToken(Material.of("secret".getBytes(StandardCharsets.US_ASCII))))
              .withProxy(proxy.address());
      try (ApiServer api = ApiServer.connect(access, new ClientLimits(-1, 0, "portolan/test"));
          ApiResponse answer = api.get("/version", "*/*")) {
        assertThat(answer.status()).isEqualTo(200);
      }
      assertThat(proxy.heads).hasSize(1);
      assertThat(proxy.heads.getFirst())
          .startsWith("CONNECT 127.0.0.1:" + server.port())
          .doesNotContain("secret");
      assertThat(server.last().authorization()).isEqualTo("Bearer secret");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://api.example:6443  |                          | http://proxy:3128
          https://10.1.2.3:6443     |                          | http://proxy:3128
          http://api.example        |                          |
          https://localhost:6443    |                          |
          https://127.0.0.1:6443    |                          |
          https://[::1]:6443        |                          |
          https://10.1.2.3:6443     | 10.1.0.0/16              |
          https://10.2.2.3:6443     | 10.1.0.0/16              | http://proxy:3128
          https://10.1.2.3:6443     | a, 10.1.2.3              |
          https://10.1.2.3:6443     | 10.1.2.3:6443            |
          https://10.1.2.3:6443     | 10.1.2.3:443             | http://proxy:3128
          https://[fd00::1]:6443    | fd00::/8                 |
          https://[fd00::1]:6443    | [fd00::1]:6443           |
          https://api.example       | *                        |
          https://api.example       | example                  |
          https://api.example       | .example                 |
          https://api.example       | *.example                |
          https://api.example       | API.Example:443          |
          https://api.example       | api.example:80           | http://proxy:3128
          https://example           | .example                 | http://proxy:3128
          https://myexample         | example                  | http://proxy:3128
          """)
  void the_environment_names_a_proxy_and_exceptions(String server, String except, String proxy)
      throws Exception {
    Map<String, String> environment =
        Map.of("https_proxy", "proxy:3128", "NO_PROXY", except == null ? "" : except);
    assertThat(HttpProxy.of(environment, URI.create(server)))
        .isEqualTo(Optional.ofNullable(proxy).map(URI::create));
  }

  @Test
  void a_proxy_of_the_environment_that_cannot_be_used_is_told() {
    assertThatThrownBy(
            () -> HttpProxy.of(Map.of("HTTPS_PROXY", "socks5://p:1"), URI.create("https://a")))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "the environment's HTTPS_PROXY: a proxy that is reached by 'socks5' is not supported;"
                + " write http://HOST:PORT of one that is reached by plain HTTP");
  }

  /** A proxy that lets everything through and remembers what it was asked for. */
  private static final class Tunnel implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"));
    private final List<String> heads = new CopyOnWriteArrayList<>();

    Tunnel() throws IOException {
      Thread.startVirtualThread(this::accept);
    }

    URI address() {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    private void accept() {
      for (int i = 0; i < 10; i++) {
        try {
          Socket client = socket.accept();
          Thread.startVirtualThread(() -> serve(client));
        } catch (IOException e) {
          return;
        }
      }
    }

    private void serve(Socket client) {
      try (client) {
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        for (String line = reader.readLine();
            line != null && !line.isEmpty();
            line = reader.readLine()) {
          head.append(line).append('\n');
        }
        heads.add(head.toString());
        String target = head.substring("CONNECT ".length(), head.indexOf(" HTTP"));
        int port = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
        try (Socket server = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
          client
              .getOutputStream()
              .write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          Thread.startVirtualThread(() -> copy(client, server));
          copy(server, client);
        }
      } catch (IOException e) {
        // The client says what it saw.
      }
    }

    private static void copy(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
      } catch (IOException e) {
        // One side is gone.
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
