package dev.portolan.web.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.net.Ip;
import dev.portolan.server.ListenException;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.Certificates;
import dev.portolan.tls.TlsFiles;
import dev.portolan.web.http.RawHttp.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may read a chart, and that reading is all that there is. */
final class ChartAccessTest {
  private final FedChart shop = FedChart.shop();
  private final List<ChartServer> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(ChartServer::close);
    shop.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:8080", "127.0.0.1", "[::1]:99", "LocalHost:1"})
  void thisMachineMayCallItsOwnNames(String host) throws IOException {
    assertThat(RawHttp.get(shop.url(), "api/overview", "Host: " + host).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.2:0",
        "127.0.0.2",
        "[::1]:0",
        "[::1]",
        "[0:0::1]:0",
        "localhost:0",
        "localhost",
        "0"
      })
  void theAddressThatIsPrintedIsAnswered(String listen) throws IOException {
    ChartServer server = shop.serve(listener(listen));
    servers.add(server);
    Answer answer = RawHttp.get(server.url(), "api/overview");
    assertThat(answer.status()).as(server.url() + ": " + answer.body()).isEqualTo(200);
    assertThat(RawHttp.get(server.url(), "api/overview", "Host: 127.0.0.3").status())
        .as("another name of loopback")
        .isEqualTo(421);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1", "[::2]"})
  void aNameThatWasMadeToLeadHereIsRefused(String host) throws IOException {
    for (String path : List.of("", "api/overview", "api/events")) {
      Answer answer = RawHttp.get(shop.url(), path, "Host: " + host);
      assertThat(answer.status()).as(path).isEqualTo(421);
      assertThat(answer.error()).contains("localhost");
    }
  }

  @Test
  void pagesOfOtherSitesMayNotRead() throws IOException {
    String url = shop.url();
    assertThat(RawHttp.get(url, "api/services", "Origin: https://evil.example").status())
        .isEqualTo(403);
    assertThat(RawHttp.get(url, "api/services", "Origin: null").status()).isEqualTo(403);
    assertThat(RawHttp.get(url, "api/services", "Sec-Fetch-Site: cross-site").status())
        .isEqualTo(403);
    assertThat(RawHttp.get(url, "api/services", "Sec-Fetch-Site: same-site").status())
        .isEqualTo(403);
    assertThat(RawHttp.get(url, "", "Sec-Fetch-Site: cross-site").status()).isEqualTo(200);
    assertThat(
            RawHttp.get(
                    url,
                    "api/services",
                    "Origin: http://" + URI.create(url).getAuthority(),
                    "Sec-Fetch-Site: same-origin")
                .status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"})
  void nothingCanBeWritten(String method) throws IOException {
    for (String path : List.of("", "api/services", "api/explain?target=shop/web", "api/events")) {
      Answer answer = RawHttp.request(method, shop.url(), path);
      assertThat(answer.status()).as(path).isEqualTo(405);
      assertThat(answer.headers()).containsEntry("allow", "GET, HEAD");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "style.css", "api/overview", "api/nope", "nope.js", "api/events"})
  void headIsAnsweredAsGetIsButForTheBody(String path) throws IOException {
    Answer head = RawHttp.request("HEAD", shop.url(), path);
    assertThat(head.body()).isEmpty();
    if (path.equals("api/events")) {
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.headers()).containsEntry("content-type", "text/event-stream; charset=utf-8");
      return;
    }
    Answer get = RawHttp.get(shop.url(), path);
    assertThat(head.status()).isEqualTo(get.status());
    assertThat(head.headers().get("content-type")).isEqualTo(get.headers().get("content-type"));
    assertThat(head.headers()).containsKey("content-length");
  }

  @Test
  void everyAnswerKeepsTheBrowserStrict() throws IOException {
    for (String path : List.of("", "style.css", "api/overview", "api/nope", "nope.js")) {
      assertThat(RawHttp.get(shop.url(), path).headers())
          .as(path)
          .containsEntry(
              "content-security-policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
                  + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
          .containsEntry("x-content-type-options", "nosniff")
          .containsEntry("referrer-policy", "no-referrer")
          .containsEntry("cross-origin-opener-policy", "same-origin")
          .containsEntry("cross-origin-resource-policy", "same-origin")
          .doesNotContainKey("access-control-allow-origin");
    }
    assertThat(RawHttp.get(shop.url(), "api/overview").headers())
        .containsEntry("cache-control", "no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../pom.xml",
        "..%2f..%2fpackage.html",
        "%2e%2e/ChartCommand.class",
        "page/../../ChartCommand.class",
        "etc/passwd.js",
        "http/ChartServer.class",
        ".hidden.js"
      })
  void noPathLeadsOutOfThePage(String path) throws IOException {
    assertThat(RawHttp.get(shop.url(), path).status()).isIn(400, 404);
  }

  @Test
  void aTokenIsAskedForWhereThereIsOne(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "s3cret\n");
    String url = serve(Optional.empty(), Optional.of(file));
    Answer without = RawHttp.get(url, "api/overview");
    assertThat(without.status()).isEqualTo(401);
    assertThat(without.headers()).containsEntry("www-authenticate", "Bearer");
    assertThat(without.error()).contains("token");
    assertThat(RawHttp.get(url, "api/events").status()).isEqualTo(401);
    assertThat(RawHttp.get(url, "api/overview", "Authorization: Bearer s3cre").status())
        .isEqualTo(401);
    assertThat(RawHttp.get(url, "api/overview", "Authorization: Basic s3cret").status())
        .isEqualTo(401);
    assertThat(RawHttp.get(url, "api/overview", "Authorization: Bearer s3cret").status())
        .isEqualTo(200);
    assertThat(RawHttp.get(url, "").status()).as("the page has no data").isEqualTo(200);
  }

  @Test
  void aTokenMayBeReplacedWhileItIsInUse(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "first");
    String url = serve(Optional.empty(), Optional.of(file));
    assertThat(RawHttp.get(url, "api/overview", "Authorization: Bearer first").status())
        .isEqualTo(200);
    Files.writeString(file, "the second");
    Await.until(
        "the new token",
        () -> RawHttp.get(url, "api/overview", "Authorization: Bearer the second").status() == 200);
    assertThat(RawHttp.get(url, "api/overview", "Authorization: Bearer first").status())
        .isEqualTo(401);
  }

  @Test
  void aTokenFileMustHaveOne(@TempDir Path folder) throws IOException {
    Path empty = Files.writeString(folder.resolve("empty"), "\n");
    assertThatThrownBy(() -> serve(Optional.empty(), Optional.of(empty)))
        .isInstanceOf(ListenException.class)
        .hasMessageContaining("no token");
    assertThatThrownBy(() -> serve(Optional.empty(), Optional.of(folder.resolve("none"))))
        .isInstanceOf(ListenException.class)
        .hasMessageContaining("no such file");
  }

  @Test
  void withCertificatesClientsNeedOneToo(@TempDir Path folder) throws Exception {
    TlsFiles files = files(folder);
    String url = serve(Optional.of(files), Optional.empty());
    assertThat(url).startsWith("https://");
    assertThat(read(url, "api/overview", context(files, true)).statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> read(url, "api/overview", context(files, false)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void withBothACertificateOrTheTokenWillDo(@TempDir Path folder) throws Exception {
    TlsFiles files = files(folder);
    Path token = Files.writeString(folder.resolve("token"), "s3cret");
    String url = serve(Optional.of(files), Optional.of(token));
    assertThat(read(url, "api/overview", context(files, true)).statusCode()).isEqualTo(200);
    assertThat(read(url, "api/overview", context(files, false)).statusCode()).isEqualTo(401);
    assertThat(
            read(url, "api/overview", context(files, false), "Authorization", "Bearer s3cret")
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void anAddressForOthersNeedsAWayToKnowThem() {
    assertThatThrownBy(() -> listener("0.0.0.0:1234"))
        .hasMessageContainingAll("other machines", "--tls-key", "--chart-token-file");
    assertThatThrownBy(() -> listener("[::]:1234")).hasMessageContaining("other machines");
    assertThat(ChartListener.parse("0.0.0.0:1", Optional.empty(), Optional.of(Path.of("t"))).ip())
        .isEqualTo(Ip.of("0.0.0.0"));
    assertThat(listener("1234").ip().isLoopback()).isTrue();
    assertThat(listener(":1234").port()).isEqualTo(1234);
    assertThat(listener("localhost:1234").ip().isLoopback()).isTrue();
    assertThat(listener("[::1]:1234").ip()).isEqualTo(Ip.of("::1"));
    for (String bad : List.of("", "x", "::1", "example.org:80", "127.0.0.1:70000", "-1")) {
      assertThatThrownBy(() -> listener(bad)).hasMessageContaining("not an address to listen on");
    }
  }

  @Test
  void aPortInUseIsSaid() {
    int port = URI.create(shop.url()).getPort();
    assertThatThrownBy(() -> shop.serve(listener("127.0.0.1:" + port)))
        .isInstanceOf(ListenException.class)
        .hasMessageContainingAll("127.0.0.1:" + port, "choose another address");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: localhost\r\nHost: example.org",
        "Host: localhost\r\nHost: localhost",
        "Host : localhost",
        "Host: localhost\r\nContent-Length: +5",
        "Host: localhost\r\nContent-Length: 5\r\nContent-Length: 5",
        "Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"
      })
  void aHeadThatCouldBeReadInTwoWaysIsRefused(String headers) throws IOException {
    assertThat(status("GET /api/overview HTTP/1.1\r\n" + headers + "\r\n\r\nhello")).isEqualTo(400);
  }

  @Test
  void aRequestMustNotBeLarge() throws IOException {
    String large = "x".repeat(100_000);
    assertThat(status("GET /api/search?q=" + large + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .isNotEqualTo(200);
    assertThat(status("GET /api/overview HTTP/1.1\r\nHost: localhost\r\nX: " + large + "\r\n\r\n"))
        .isNotEqualTo(200);
    assertThat(RawHttp.get(shop.url(), "api/overview").status()).isEqualTo(200);
    String many = "drain=worker-2&".repeat(1_900);
    assertThat(RawHttp.get(shop.url(), "api/whatif?" + many).status()).isEqualTo(200);
  }

  /** The status of an answer to {@code request}; 0 where there is none. */
  private int status(String request) throws IOException {
    URI uri = URI.create(shop.url());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(60_000);
      try {
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
        String text = new String(line, StandardCharsets.US_ASCII);
        return text.isEmpty() ? 0 : Integer.parseInt(text.substring(text.length() - 3));
      } catch (IOException e) {
        // The connection was closed at once.
        return 0;
      }
    }
  }

  private static ChartListener listener(String text) {
    return ChartListener.parse(text, Optional.empty(), Optional.empty());
  }

  private String serve(Optional<TlsFiles> tls, Optional<Path> token) {
    ChartServer server = shop.serve(new ChartListener(Ip.of("127.0.0.1"), 0, tls, token));
    servers.add(server);
    return server.url();
  }

  private static TlsFiles files(Path folder) throws Exception {
    Certificates made = Certificates.made();
    return new TlsFiles(
        Files.write(folder.resolve("key.pem"), made.key("server")),
        Files.write(folder.resolve("crt.pem"), made.certificate("server")),
        Files.write(folder.resolve("ca.pem"), made.certificate("authority")));
  }

  private static SSLContext context(TlsFiles files, boolean withCertificate) throws Exception {
    var tls = files.load(line -> {});
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        withCertificate ? new KeyManager[] {tls.keyManager()} : new KeyManager[0],
        new TrustManager[] {tls.trustManager()},
        null);
    return context;
  }

  private static HttpResponse<String> read(
      String url, String path, SSLContext context, String... headers) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
