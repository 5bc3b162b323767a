package dev.portolan.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.text.Json;
import dev.portolan.testbase.Certificates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials that a program prints. */
@Timeout(60)
class ExecPluginTest {
  private static final Certificates CERTIFICATES = Certificates.made();
  private static final ClientLimits LIMITS = new ClientLimits(-1, 0, "portolan/test");

  /** Prints the token {@code t-1} when run first, then {@code t-2}, and so on. */
  private static final String COUNTING =
      """
      echo run >> "$RUNS"
      n=$(wc -l < "$RUNS" | tr -d ' ')
      echo "{\\"kind\\":\\"ExecCredential\\",\\"apiVersion\\":\\"$VERSION\\",\
      \\"status\\":{\\"token\\":\\"t-$n\\"$EXTRA}}"
      """;

  @TempDir private Path folder;
  @AutoClose private final TestServer server;

  ExecPluginTest() throws Exception {
    server = TestServer.secure("server");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1"})
  void a_token_is_made_once_and_kept(String version) throws Exception {
    try (ApiServer api = api(counting("", version))) {
      api.get("/", "*/*").close();
      api.get("/", "*/*").close();
    }
    assertThat(tokens()).containsExactly("Bearer t-1", "Bearer t-1");
  }

  @Test
  void a_token_that_ended_is_made_anew() throws Exception {
    try (ApiServer api = api(counting("2020-01-01T00:00:00Z", "v1"))) {
      api.get("/", "*/*").close();
      api.get("/", "*/*").close();
    }
    assertThat(tokens()).containsExactly("Bearer t-1", "Bearer t-2");
  }

  @Test
  void a_token_that_has_not_ended_is_kept() throws Exception {
    try (ApiServer api = api(counting("2999-01-01T00:00:00+01:00", "v1"))) {
      api.get("/", "*/*").close();
      api.get("/", "*/*").close();
    }
    assertThat(tokens()).containsExactly("Bearer t-1", "Bearer t-1");
  }

  @Test
  void a_refused_token_is_made_anew_once() throws Exception {
    server.answering(exchange -> TestServer.answer(exchange, 401, "no"));
    try (ApiServer api = api(counting("", "v1"));
        ApiResponse answer = api.get("/", "*/*")) {
      assertThat(answer.status()).isEqualTo(401);
    }
    assertThat(tokens()).containsExactly("Bearer t-1", "Bearer t-2");
  }

  @Test
  void a_client_certificate_can_be_made() throws Exception {
    Files.writeString(
        folder.resolve("out"),
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\","
            + "\"status\":{\"clientCertificateData\":"
            + quoted(CERTIFICATES.certificate("client"))
            + ",\"clientKeyData\":"
            + quoted(CERTIFICATES.key("client"))
            + "}}");
    script("cat \"$(dirname \"$0\")/out\"");
    try (ApiServer api = api(config("v1", "{}", ""))) {
      api.get("/", "*/*").close();
    }
    assertThat(server.last().subject()).isEqualTo("CN=alice");
  }

  @Test
  void the_program_gets_arguments_environment_and_the_cluster() throws Exception {
    script(
        """
        echo "$1|$2|$NAME|$KUBERNETES_EXEC_INFO" > "$(dirname "$0")/seen"
        echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}'
        """);
    Path file =
        config(
            "v1",
            "{NAME: 'a b'}",
            "args: [get, my token]\n      provideClusterInfo: true\n      interactiveMode: Never");
    try (ApiServer api = api(file)) {
      api.get("/", "*/*").close();
    }
    String authority = Base64.getEncoder().encodeToString(CERTIFICATES.certificate("authority"));
    assertThat(folder.resolve("seen"))
        .hasContent(
            "get|my token|a b|"
                + "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
                + "\"spec\":{\"cluster\":{\"server\":\""
                + server.address()
                + "\",\"certificate-authority-data\":\""
                + authority
                + "\",\"config\":{\"audience\":\"x\\\"y\",\"tries\":3,\"list\":[true,null]}},"
                + "\"interactive\":false}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          echo one >&2; echo two >&2; exit 3 | ended with 3 and said: one / two; run it by hand to see more
          exit 1 | ended with 1 and said nothing; run it by hand to see more
          echo nonsense | printed something else than an ExecCredential in JSON
          true | printed something else than an ExecCredential in JSON
          echo '{' | did not print credentials: its output:2:1: not valid YAML: expected the node content, but found '<stream end>' (while parsing a flow node)
          echo '{"apiVersion":"client.authentication.k8s.io/v1beta1"}' | did not print credentials: its output:1:15: ExecCredential: apiVersion: 'client.authentication.k8s.io/v1beta1', and the kubeconfig says 'client.authentication.k8s.io/v1'
          echo '{"apiVersion":"client.authentication.k8s.io/v1"}' | did not print credentials: its output:1:1: ExecCredential: status: missing; it should hold a token or a client certificate
          echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{}}' | did not print credentials: its output:1:58: ExecCredential: status: there is neither a token nor a client certificate in it
          echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"clientKeyData":"x"}}' | did not print credentials: its output:1:58: ExecCredential: status: clientCertificateData and clientKeyData go together; one is missing
          echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"x","expirationTimestamp":"soon"}}' | did not print credentials: its output:1:93: ExecCredential: status.expirationTimestamp: 'soon' is not a valid time; write one such as 2030-01-31T12:00:00Z
          """)
  void a_program_that_fails_is_told(String script, String cause) throws Exception {
    script(script);
    Path file = config("v1", "{}", "");
    String program = folder.resolve("plugin").toString();
    try (ApiServer api = api(file)) {
      assertThatThrownBy(() -> api.get("/", "*/*"))
          .isInstanceOf(ApiException.class)
          .hasMessage("%s: user 'test': the program '%s' for credentials %s", file, program, cause);
    }
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void a_program_that_is_not_there_is_told() throws Exception {
    Path file = config("v1", "{}", "installHint: ask the operators");
    try (ApiServer api = api(file)) {
      assertThatThrownBy(() -> api.get("/", "*/*"))
          .isInstanceOf(ApiException.class)
          .hasMessage(
              "%s: user 'test': the program '%s' for credentials cannot be started: there is no"
                  + " such program; how to install it: ask the operators",
              file, folder.resolve("plugin"));
    }
  }

  @Test
  void a_program_that_hangs_is_ended() throws Exception {
    script("exec sleep 600");
    ExecPlugin plugin =
        new ExecPlugin(
            new ExecPlugin.Command(
                "here", "v1", folder.resolve("plugin").toString(), List.of(), Map.of(), ""),
            Duration.ofMillis(100));
    assertThatThrownBy(plugin::login)
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("did not end within");
  }

  private List<String> tokens() {
    return server.requests().stream().map(TestServer.Request::authorization).toList();
  }

  private static ApiServer api(Path file) throws ApiException {
    return ApiServer.connect(Kubeconfig.read(file, Optional.empty()), LIMITS);
  }

  private Path counting(String end, String version) throws Exception {
    script(COUNTING);
    String extra = end.isEmpty() ? "" : ",\"expirationTimestamp\":\"" + end + "\"";
    return config(
        version,
        "{RUNS: '%s', VERSION: client.authentication.k8s.io/%s, EXTRA: '%s'}"
            .formatted(folder.resolve("runs"), version, extra),
        "");
  }

  private void script(String text) throws IOException {
    Path file = folder.resolve("plugin");
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** A kubeconfig with the program beside it. */
  private Path config(String version, String environment, String more) throws Exception {
    Path file = folder.resolve("config");
    Files.writeString(
        file,
        """
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: test}}]
        clusters:
        - name: test
          cluster:
            server: %s
            certificate-authority-data: %s
            extensions:
            - name: client.authentication.k8s.io/exec
              extension: {audience: 'x"y', tries: 3, list: [true, ~]}
        users:
        - name: test
          user:
            exec:
              apiVersion: client.authentication.k8s.io/%s
              command: ./plugin
              env: %s
              %s
        """
            .formatted(
                server.address(),
                Base64.getEncoder().encodeToString(CERTIFICATES.certificate("authority")),
                version,
                list(environment),
                more));
    return file;
  }

  /** {@code {A: x, B: y}} as the list of names and values that a kubeconfig wants. */
  private static String list(String mapping) {
    String inner = mapping.substring(1, mapping.length() - 1);
    return inner.isEmpty()
        ? "[]"
        : "["
            + inner.replaceAll("(^|, )([A-Z]+): ('[^']*'|[^,]+)", "$1{name: $2, value: $3}")
            + "]";
  }

  private static String quoted(byte[] text) {
    return Json.quoted(new String(text, StandardCharsets.US_ASCII));
  }
}
