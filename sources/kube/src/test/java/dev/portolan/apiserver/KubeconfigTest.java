package dev.portolan.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Certificates;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server sees of a client that connects as a kubeconfig says. */
@Timeout(60)
class KubeconfigTest {
  private static final Certificates CERTIFICATES = Certificates.made();
  private static final ClientLimits LIMITS = new ClientLimits(-1, 0, "portolan/test");

  @TempDir private Path folder;
  @AutoClose private final TestServer server;

  KubeconfigTest() throws Exception {
    server = TestServer.secure("server");
  }

  @Test
  void a_token_is_sent() throws Exception {
    assertThat(ask(user("token: secret")).authorization()).isEqualTo("Bearer secret");
  }

  @Test
  void a_name_and_a_password_are_sent() throws Exception {
    assertThat(ask(user("username: me\n    password: 'a:b'")).authorization())
        .isEqualTo("Basic bWU6YTpi");
  }

  @Test
  void a_user_may_be_nobody() throws Exception {
    assertThat(ask(user("{}")).authorization()).isEqualTo("null");
  }

  @Test
  void certificates_are_read_from_files_beside_the_kubeconfig() throws Exception {
    Files.createDirectory(folder.resolve("pki"));
    Files.write(folder.resolve("pki/ca.crt"), CERTIFICATES.certificate("authority"));
    Files.write(folder.resolve("pki/client.crt"), CERTIFICATES.certificate("client"));
    Files.write(folder.resolve("pki/client.key"), CERTIFICATES.key("client"));
    Path file =
        write(
            "certificate-authority: pki/ca.crt",
            "client-certificate: pki/client.crt\n    client-key: pki/client.key");
    assertThat(ask(file).subject()).isEqualTo("CN=alice");
  }

  @Test
  void certificates_are_read_from_data() throws Exception {
    Path file =
        user(
            "client-certificate-data: "
                + base64(CERTIFICATES.certificate("client-ec"))
                + "\n    client-key-data: "
                + base64(CERTIFICATES.key("client-ec")));
    assertThat(ask(file).subject()).isEqualTo("CN=bob");
  }

  @Test
  void an_expired_certificate_is_named_with_its_date() throws Exception {
    Path file =
        user(
            "client-certificate-data: "
                + base64(CERTIFICATES.certificate("expired"))
                + "\n    client-key-data: "
                + base64(CERTIFICATES.key("expired")));
    assertThatThrownBy(() -> ask(file))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "%s: the server does not accept the client, whose certificate of CN=expired expired on"
                    .formatted(server.address())
                + " "
                + CERTIFICATES.end("expired").toInstant()
                + "; renew it (client-certificate)");
  }

  @Test
  void a_new_certificate_in_the_file_is_shown_on_new_connections() throws Exception {
    Path certificate = folder.resolve("client.crt");
    Path key = folder.resolve("client.key");
    Files.write(certificate, CERTIFICATES.certificate("client"));
    Files.write(key, CERTIFICATES.key("client"));
    Path file = user("client-certificate: client.crt\n    client-key: client.key");
    try (ApiServer api = ApiServer.connect(Kubeconfig.read(file, Optional.empty()), LIMITS)) {
      api.get("/", "*/*").close();
      assertThat(server.last().subject()).isEqualTo("CN=alice");
      Files.write(certificate, CERTIFICATES.certificate("client-ec"));
      Files.write(key, CERTIFICATES.key("client-ec"));
      api.get("/", "*/*").close();
      assertThat(server.last().subject()).isEqualTo("CN=bob");
    }
  }

  @Test
  void a_token_in_a_file_is_read_again_when_it_changes() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    Path file = user("tokenFile: token\n    token: ignored");
    try (ApiServer api = ApiServer.connect(Kubeconfig.read(file, Optional.empty()), LIMITS)) {
      api.get("/", "*/*").close();
      assertThat(server.last().authorization()).isEqualTo("Bearer first");
      replace(folder.resolve("token"), "second\n");
      api.get("/", "*/*").close();
      assertThat(server.last().authorization()).isEqualTo("Bearer second");
      Files.delete(folder.resolve("token"));
      api.get("/", "*/*").close();
      assertThat(server.last().authorization()).isEqualTo("Bearer second");
    }
  }

  @Test
  void a_refused_token_is_read_again_once() throws Exception {
    Path token = folder.resolve("token");
    Files.writeString(token, "old");
    server.answering(exchange -> {
      boolean isOld = "Bearer old".equals(exchange.getRequestHeaders().getFirst("Authorization"));
      if (isOld) {
        replace(token, "new");
      }
      TestServer.answer(exchange, isOld ? 401 : 200, "text");
    });
    ApiAccess access = Kubeconfig.read(user("tokenFile: token"), Optional.empty());
    assertThat(status(access)).isEqualTo(200);
    assertThat(server.requests())
        .extracting(TestServer.Request::authorization)
        .containsExactly("Bearer old", "Bearer new");
  }

  @Test
  void a_refused_token_that_stays_the_same_is_not_sent_twice() throws Exception {
    server.answering(exchange -> TestServer.answer(exchange, 401, "no"));
    assertThat(status(Kubeconfig.read(user("token: secret"), Optional.empty()))).isEqualTo(401);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void somebody_may_ask_in_the_name_of_another() throws Exception {
    TestServer.Request request =
        ask(user("token: t\n    as: jane\n    as-uid: '7'\n    as-groups: [dev, ops]"));
    assertThat(request.headers().get("Impersonate-User")).containsExactly("jane");
    assertThat(request.headers().get("Impersonate-Uid")).containsExactly("7");
    assertThat(request.headers().get("Impersonate-Group")).containsExactlyInAnyOrder("dev", "ops");
  }

  @Test
  void a_server_can_go_unverified_or_by_another_name() throws Exception {
    assertThat(ask(write("insecure-skip-tls-verify: true", "token: t")).authorization())
        .isEqualTo("Bearer t");
    try (TestServer elsewhere = TestServer.secure("elsewhere")) {
      Path file = write(authority() + "\n    tls-server-name: api.example", "token: t");
      ApiAccess access = Kubeconfig.read(file, Optional.empty()).withServer(elsewhere.address());
      assertThat(status(access)).isEqualTo(200);
      assertThat(elsewhere.last().authorization()).isEqualTo("Bearer t");
    }
  }

  @Test
  void a_context_chooses_cluster_and_user() throws Exception {
    Path file = folder.resolve("config");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: one
        contexts:
        - {name: one, context: {cluster: here, user: first}}
        - {name: two, context: {cluster: here, user: second, namespace: shop}}
        - {name: three, context: {cluster: there}}
        clusters:
        - {name: there, cluster: {server: 'http://10.0.0.1:8080/'}}
        - name: here
          cluster: {server: '%s', %s}
        users:
        - {name: first, user: {token: one}}
        - {name: second, user: {token: two}}
        """
            .formatted(server.address(), authority()));
    assertThat(status(Kubeconfig.read(file, Optional.empty()))).isEqualTo(200);
    assertThat(server.last().authorization()).isEqualTo("Bearer one");
    assertThat(status(Kubeconfig.read(file, Optional.of("two")))).isEqualTo(200);
    assertThat(server.last().authorization()).isEqualTo("Bearer two");
    assertThat(Kubeconfig.read(file, Optional.of("three")).server())
        .isEqualTo(URI.create("http://10.0.0.1:8080"));
  }

  @Test
  void no_credentials_are_sent_without_tls() throws Exception {
    try (TestServer plain = TestServer.plain()) {
      ApiAccess access = Kubeconfig.read(user("token: secret"), Optional.empty());
      assertThat(status(access.withServer(plain.address()))).isEqualTo(200);
      assertThat(plain.last().authorization()).isEqualTo("null");
    }
  }

  @Test
  void an_address_without_a_scheme_is_by_what_is_known_of_tls() throws Exception {
    ApiAccess secure = Kubeconfig.read(user("token: t"), Optional.empty());
    assertThat(secure.withServer("10.0.0.1:6443").server())
        .isEqualTo(URI.create("https://10.0.0.1:6443"));
    assertThat(ApiAccess.of("localhost:8080").server())
        .isEqualTo(URI.create("http://localhost:8080"));
    for (String wrong : List.of("", "ftp://x", "http://", "http://a b", "https:///x")) {
      assertThatThrownBy(() -> ApiAccess.of(wrong))
          .isInstanceOf(ApiException.class)
          .hasMessage(
              "'%s' is not a valid API server address; write one such as https://10.0.0.1:6443",
              wrong);
    }
  }

  @Test
  void json_is_a_kubeconfig_too() throws Exception {
    Path file = folder.resolve("config.json");
    Files.writeString(
        file,
        """
        {"current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "k"}}],
         "clusters": [{"name": "k", "cluster": {"server": "https://[::1]:6443"}}]}
        """);
    assertThat(Kubeconfig.read(file, Optional.empty()).server())
        .isEqualTo(URI.create("https://[::1]:6443"));
  }

  @Test
  void several_files_are_one_and_the_first_value_wins() throws Exception {
    Path first = folder.resolve("first");
    Path second = Files.createDirectory(folder.resolve("sub")).resolve("second");
    Files.writeString(
        first,
        """
        contexts: [{name: c, context: {cluster: k, user: red}}]
        users: [{name: red, user: {token: first}}]
        """);
    Files.write(second.resolveSibling("ca.crt"), CERTIFICATES.certificate("authority"));
    Files.writeString(
        second,
        """
        current-context: c
        contexts: [{name: c, context: {cluster: nowhere}}, {name: d, context: {cluster: k}}]
        clusters: [{name: k, cluster: {server: '%s', certificate-authority: ca.crt}}]
        users: [{name: red, user: {username: u, password: p}}]
        """
            .formatted(server.address()));
    Path empty = Files.createFile(folder.resolve("empty"));

    List<Path> files =
        Kubeconfig.usual(
            Map.of(
                "KUBECONFIG", folder.resolve("gone") + ":" + first + "::" + empty + ":" + second),
            folder);
    assertThat(files).containsExactly(first, empty, second);
    assertThat(status(Kubeconfig.read(files, Optional.empty()))).isEqualTo(200);
    assertThat(server.last().authorization()).isEqualTo("Bearer first");
    assertThat(status(Kubeconfig.read(files, Optional.of("d")))).isEqualTo(200);
    assertThat(server.last().authorization()).isEqualTo("null");
    assertThatThrownBy(() -> Kubeconfig.read(files, Optional.of("e")))
        .hasMessageEndingWith("contexts: 'e' is not among them; choose 'c', 'd'");
  }

  @Test
  void without_a_list_the_file_in_the_home_folder_is_meant() throws Exception {
    assertThat(Kubeconfig.usual(Map.of(), folder)).isEmpty();
    Path file = Files.createDirectory(folder.resolve(".kube")).resolve("config");
    Files.writeString(file, "");
    assertThat(Kubeconfig.usual(Map.of("KUBECONFIG", ""), folder)).containsExactly(file);
    assertThat(Kubeconfig.usual(Map.of("KUBECONFIG", "/no/such/file"), folder)).isEmpty();
  }

  @Test
  void another_user_can_be_impersonated() throws Exception {
    ApiAccess access = Kubeconfig.read(user("token: t\n    as: somebody"), Optional.empty());
    assertThat(access.impersonating("jane", List.of("devs", "ops")).headers())
        .containsExactly(
            Map.entry("Impersonate-User", "jane"),
            Map.entry("Impersonate-Group", "devs"),
            Map.entry("Impersonate-Group", "ops"));
    assertThatThrownBy(() -> access.impersonating("a\nb", List.of()))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("is not a name that can be impersonated");
  }

  private TestServer.Request ask(Path file) throws Exception {
    assertThat(status(Kubeconfig.read(file, Optional.empty()))).isEqualTo(200);
    return server.last();
  }

  private static int status(ApiAccess access) throws Exception {
    try (ApiServer api = ApiServer.connect(access, LIMITS);
        ApiResponse answer = api.get("/version", "*/*")) {
      return answer.status();
    }
  }

  private Path user(String user) throws Exception {
    return write(authority(), user);
  }

  private static String authority() throws Exception {
    return "certificate-authority-data: " + base64(CERTIFICATES.certificate("authority"));
  }

  private Path write(String cluster, String user) throws IOException {
    Path file = folder.resolve("config");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: test}}]
        clusters:
        - name: test
          cluster:
            server: %s
            %s
        users:
        - name: test
          user:
            %s
        """
            .formatted(server.address(), cluster, user));
    return file;
  }

  private static void replace(Path file, String text) throws IOException {
    Path other = file.resolveSibling("other");
    Files.writeString(other, text);
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
