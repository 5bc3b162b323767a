package dev.portolan.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.portolan.apiserver.ApiAccess;
import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.testbase.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where an API server cannot be used, step by step. */
final class ApiChecksTest {
  @TempDir private Path folder;

  private static List<CheckResult> check(String server) {
    return check(() -> ApiAccess.of(server));
  }

  private static List<CheckResult> check(ApiAccess.Search access) {
    return ApiChecks.run(
        Patient.of(Optional.empty(), Path.of("/nowhere"), "mode: nftables\n", access, List.of()));
  }

  private static CheckResult last(String server) {
    return check(server).getLast();
  }

  @Test
  void aNameThatIsUnknownIsDnssFault() {
    CheckResult result = last("http://no-such-host.invalid:6443");
    assertThat(result.status()).isEqualTo(CheckStatus.FAIL);
    assertThat(result.finding()).startsWith("DNS: the name no-such-host.invalid is unknown");
  }

  @Test
  void aPortThatRefusesIsTcps() throws Exception {
    int port = FreePort.next();
    CheckResult result = last("http://127.0.0.1:" + port);
    assertThat(result.status()).isEqualTo(CheckStatus.FAIL);
    assertThat(result.finding()).startsWith("TCP: no connection to 127.0.0.1 port " + port);
  }

  @Test
  void theServerIsAskedThroughTheProxyThatAloneKnowsItsName() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer proxy =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    proxy.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().toString());
          byte[] answer = "{\"gitVersion\":\"v1.37.0\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    proxy.start();
    try {
      assertThat(check(behindProxy(proxy.getAddress().getPort())))
          .anySatisfy(result -> {
            assertThat(result.id()).isEqualTo("api.reach");
            assertThat(result.finding()).isEqualTo("http://api.invalid:8080 answers: v1.37.0");
          });
      assertThat(asked).contains("http://api.invalid:8080/version");
    } finally {
      proxy.stop(0);
    }
    CheckResult result = check(behindProxy(proxy.getAddress().getPort())).getLast();
    assertThat(result.status()).isEqualTo(CheckStatus.FAIL);
    assertThat(result.finding())
        .startsWith("TCP: no connection to the proxy before the API server, 127.0.0.1 port ");
    assertThat(result.remedy()).startsWith("check that the proxy runs");
  }

  private ApiAccess.Search behindProxy(int port) throws IOException {
    Path kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(
        kubeconfig,
        """
        current-context: here
        clusters:
        - name: far
          cluster: {server: "http://api.invalid:8080", proxy-url: "http://127.0.0.1:%d"}
        contexts:
        - name: here
          context: {cluster: far, user: me}
        users:
        - name: me
        """
            .formatted(port));
    return () -> Kubeconfig.read(List.of(kubeconfig), Optional.empty());
  }

  @Test
  void aClockThatIsWrongIsSaid() {
    Instant now = Instant.parse("2026-11-16T07:00:00Z");
    assertThat(ApiChecks.clock("Mon, 16 Nov 2026 07:00:01 GMT", now).status())
        .isEqualTo(CheckStatus.OK);
    assertThat(ApiChecks.clock("Mon, 16 Nov 2026 07:01:00 GMT", now).finding())
        .isEqualTo("this machine's clock is 60 s behind the API server's");
    CheckResult wrong = ApiChecks.clock("Mon, 16 Nov 2026 06:00:00 GMT", now);
    assertThat(wrong.status()).isEqualTo(CheckStatus.FAIL);
    assertThat(wrong.finding()).contains("3600 s ahead of");
    assertThat(wrong.remedy()).contains("NTP");
  }

  @Test
  void rightsAndClockAreChecked() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String asked =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          boolean review = exchange.getRequestMethod().equals("POST");
          byte[] answer =
              (review
                      ? "{\"status\":{\"allowed\":" + !asked.contains("endpointslices") + "}}"
                      : "{\"gitVersion\":\"v1.37.0\"}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(review ? 201 : 200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      List<CheckResult> results = check("http://127.0.0.1:" + server.getAddress().getPort());
      assertThat(results)
          .anySatisfy(result -> {
            assertThat(result.id()).isEqualTo("clock.skew");
            assertThat(result.status()).isEqualTo(CheckStatus.OK);
          })
          .anySatisfy(result -> {
            assertThat(result.id()).isEqualTo("api.reach");
            assertThat(result.finding()).endsWith("answers: v1.37.0");
          })
          .anySatisfy(result -> {
            assertThat(result.id()).isEqualTo("api.authorization.endpointslices");
            assertThat(result.status()).isEqualTo(CheckStatus.FAIL);
            assertThat(result.finding()).isEqualTo("not allowed to list and watch endpointslices");
            assertThat(result.remedy()).contains("system:node-proxier");
          })
          .noneMatch(result -> result.id().equals("api.authorization.services"));
    } finally {
      server.stop(0);
    }
  }
}
