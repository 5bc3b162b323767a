package dev.portolan.apiserver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Certificates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is believed to be the server, and who the client. */
@Timeout(60)
class TrustTest {
  /** The JDK's server may hang up without saying why. */
  private static final String REFUSED =
      "%s: .*(refused the client's|want another client) certificate.*";

  private static final Certificates CERTIFICATES = Certificates.made();
  private static final ClientLimits LIMITS = new ClientLimits(-1, 0, "portolan/test");

  @Test
  void a_server_of_the_given_authority_is_trusted() throws Exception {
    try (TestServer server = TestServer.secure("server")) {
      assertThat(status(ApiAccess.of(server.address(), signedBy("authority")))).isEqualTo(200);
      assertThat(status(ApiAccess.of(at("localhost", server), signedBy("authority"))))
          .isEqualTo(200);
      assertThat(server.last().serverName()).isEqualTo("localhost");
    }
  }

  @Test
  void a_server_that_knows_only_the_key_exchanges_of_fips_is_understood() throws Exception {
    try (TestServer server =
        TestServer.secure(
            "server", wanted -> wanted.setNamedGroups(new String[] {"secp256r1", "secp384r1"}))) {
      ApiAccess access = ApiAccess.of(server.address(), signedBy("authority"));
      try (ApiServer api = ApiServer.connect(access, LIMITS);
          ApiResponse first = api.get("/", "*/*");
          ApiResponse second = api.get("/", "*/*")) {
        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).isEqualTo(200);
      }
    }
  }

  @Test
  void a_server_of_another_authority_is_not() throws Exception {
    try (TestServer server = TestServer.secure("server")) {
      assertNoAnswer(
          ApiAccess.of(server.address(), signedBy("stranger")),
          "the server's certificate is not trusted: no authority in the data signed it; give the"
              + " authority of this server (certificate-authority)");
      assertNoAnswer(
          ApiAccess.of(server.address()),
          "the server's certificate is not trusted: no authority of this system signed it, and no"
              + " other was given; give the authority of this server (certificate-authority)");
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void an_expired_certificate_is_refused() throws Exception {
    try (TestServer server = TestServer.secure("expired")) {
      assertNoAnswer(
          ApiAccess.of(server.address(), signedBy("authority")),
          "the server's certificate expired on "
              + Certificates.made().end("expired")
              + "; renew it, or correct this machine's clock");
    }
  }

  @Test
  void a_weak_certificate_is_refused() throws Exception {
    try (TestServer server = TestServer.secure("short")) {
      assertThatThrownBy(() -> status(ApiAccess.of(server.address(), signedBy("authority"))))
          .hasMessageMatching(
              server.address()
                  + ": the server's certificate is too weak: .*RSA 1000.*; replace it by one that"
                  + " is signed with SHA-256 or better, with a longer key");
    }
  }

  @Test
  void a_certificate_for_another_name_is_refused() throws Exception {
    try (TestServer server = TestServer.secure("elsewhere")) {
      assertNoAnswer(
          ApiAccess.of(server.address(), signedBy("authority")),
          "the server's certificate is for another name: No subject alternative names matching IP"
              + " address 127.0.0.1 found; use an address that it names, or tls-server-name");
      assertNoAnswer(
          ApiAccess.of(at("localhost", server), signedBy("authority")),
          "the server's certificate is for another name: No subject alternative DNS name matching"
              + " localhost found.; use an address that it names, or tls-server-name");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void the_name_to_expect_can_be_given(String host) throws Exception {
    try (TestServer server = TestServer.secure("elsewhere")) {
      assertThat(status(ApiAccess.of(at(host, server), named("api.example")))).isEqualTo(200);
      assertThat(server.last().serverName()).isEqualTo("api.example");
    }
    try (TestServer server = TestServer.secure("server")) {
      ApiAccess access = ApiAccess.of(at(host, server), named("api.example"));
      assertThatThrownBy(() -> status(access))
          .hasMessageContaining("the server's certificate is for another name: ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"server", "expired", "elsewhere", "stranger"})
  void without_verification_any_certificate_will_do(String alias) throws Exception {
    Trust insecure = new Trust(Optional.empty(), true, Optional.empty());
    try (TestServer server = TestServer.secure(alias)) {
      assertThat(status(ApiAccess.of(server.address(), insecure))).isEqualTo(200);
      assertThat(status(ApiAccess.of(at("localhost", server), insecure))).isEqualTo(200);
    }
  }

  @Test
  void a_server_without_tls_is_told_from_one_with_it() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      Thread.startVirtualThread(() -> answerPlainly(socket));
      assertNoAnswer(
          ApiAccess.of(URI.create("https://127.0.0.1:" + socket.getLocalPort())),
          "the server does not speak TLS at this port; check the port, or write http://");
    }
  }

  private static void answerPlainly(ServerSocket socket) {
    try (Socket client = socket.accept()) {
      assertThat(client.getInputStream().read()).isPositive();
      client.getOutputStream().write("HTTP/1.0 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      client.shutdownOutput();
      client.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The client says what it saw.
    }
  }

  @Test
  void a_client_without_a_certificate_is_refused_where_one_is_needed() throws Exception {
    try (TestServer server = TestServer.secure("server", true)) {
      ApiAccess access = ApiAccess.of(server.address(), signedBy("authority"));
      assertThatThrownBy(() -> status(access))
          .isInstanceOf(ApiException.class)
          .hasMessageMatching(REFUSED.formatted(server.address()));
    }
  }

  @Test
  void a_client_of_a_stranger_is_refused() throws Exception {
    try (TestServer server = TestServer.secure("server", true)) {
      ApiAccess access = withKey(server, "stranger", CERTIFICATES.key("stranger"));
      assertThatThrownBy(() -> status(access))
          .isInstanceOf(ApiException.class)
          .hasMessageMatching(REFUSED.formatted(server.address()));
    }
  }

  @Test
  void keys_are_read_in_every_form() throws Exception {
    try (TestServer server = TestServer.secure("server", true)) {
      byte[] rsa = CERTIFICATES.pkcs8("client");
      assertSubject(server, "client", CERTIFICATES.key("client"), "CN=alice");
      byte[] pkcs1 = Arrays.copyOfRange(rsa, 26, rsa.length);
      assertSubject(server, "client", Certificates.pem("RSA PRIVATE KEY", pkcs1), "CN=alice");

      assertSubject(server, "client-ec", CERTIFICATES.key("client-ec"), "CN=bob");
      assertSubject(server, "client-ec", Certificates.pem("EC PRIVATE KEY", sec1(true)), "CN=bob");
      ByteArrayOutputStream apart = new ByteArrayOutputStream();
      apart.writeBytes(Certificates.pem("EC PARAMETERS", HexFormat.of().parseHex(CURVE)));
      apart.writeBytes(Certificates.pem("EC PRIVATE KEY", sec1(false)));
      assertSubject(server, "client-ec", apart.toByteArray(), "CN=bob");
    }
  }

  private static final String CURVE = "06082a8648ce3d030107";

  /** The key of client-ec in the older form, with or without the name of its curve. */
  private static byte[] sec1(boolean withCurve) throws Exception {
    String key = HexFormat.of().formatHex(CERTIFICATES.pkcs8("client-ec"));
    int start = key.indexOf("0201010420") + 10;
    String number = "0201010420" + key.substring(start, start + 64);
    return HexFormat.of().parseHex(withCurve ? "3031" + number + "a00a" + CURVE : "3025" + number);
  }

  private static void assertSubject(TestServer server, String alias, byte[] key, String subject)
      throws Exception {
    assertThat(status(withKey(server, alias, key))).isEqualTo(200);
    assertThat(server.last().subject()).isEqualTo(subject);
  }

  private static ApiAccess withKey(TestServer server, String alias, byte[] key) throws Exception {
    return ApiAccess.of(server.address(), signedBy("authority"))
        .withCredentials(
            StoredCredentials.none()
                .withCertificate(Material.of(CERTIFICATES.certificate(alias)), Material.of(key)));
  }

  private static Trust signedBy(String alias) throws Exception {
    return new Trust(
        Optional.of(Material.of(CERTIFICATES.certificate(alias))), false, Optional.empty());
  }

  private static Trust named(String name) throws Exception {
    return new Trust(signedBy("authority").authority(), false, Optional.of(name));
  }

  private static URI at(String host, TestServer server) {
    return URI.create("https://" + host + ":" + server.port());
  }

  private static int status(ApiAccess access) throws Exception {
    try (ApiServer api = ApiServer.connect(access, LIMITS);
        ApiResponse answer = api.get("/version", "*/*")) {
      return answer.status();
    }
  }

  private static void assertNoAnswer(ApiAccess access, String cause) {
    assertThatThrownBy(() -> status(access))
        .isInstanceOf(ApiException.class)
        .hasMessage(access.server() + ": " + cause);
  }
}
