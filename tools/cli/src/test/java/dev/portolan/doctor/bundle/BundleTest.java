package dev.portolan.doctor.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.apiserver.Kubeconfig;
import dev.portolan.doctor.Patient;
import dev.portolan.doctor.Subject;
import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.Certificates;
import dev.portolan.testbase.NeedsKernel;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive holds what helps, and no secret, wherever one was planted. */
@NeedsKernel(tools = {"ip", "nft"})
final class BundleTest {
  private static final String TOKEN = "planted-token-4f1d";
  private static final String FILE_TOKEN = "planted-file-token-77";
  private static final String PASSWORD = "planted-password-9c";
  private static final String VARIABLE = "planted-variable-31";
  private static final String JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmVkLXBsYW50";

  @TempDir private Path folder;

  private static Map<String, String> read(Bundle bundle) throws Exception {
    Map<String, String> files = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bundle.archive()))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return files;
  }

  /** A user whose program for credentials fails, and says on the way what it should not. */
  private Path kubeconfig(String key) throws Exception {
    Files.writeString(folder.resolve("token"), FILE_TOKEN + "\n");
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: c
          cluster: {server: "https://127.0.0.1:1"}
        users:
        - name: u
          user:
            exec:
              apiVersion: client.authentication.k8s.io/v1
              interactiveMode: Never
              command: sh
              args: ["-c", "echo $PLAIN %s >&2; exit 1"]
              env:
              - name: PLAIN
                value: %s
        - name: v
          user: {token: %s, client-key-data: %s}
        - name: w
          user: {username: someone, password: "%s"}
        - name: x
          user:
            tokenFile: token
        contexts:
        - name: c
          context: {cluster: c, user: u}
        current-context: c
        """
            .formatted(TOKEN, VARIABLE, TOKEN, key, PASSWORD));
  }

  @Test
  void noSecretGetsIn() throws Exception {
    byte[] pem = Certificates.made().key("client");
    String key = Base64.getEncoder().encodeToString(pem);
    Path kubeconfig = kubeconfig(key);
    try (TestNamespace namespace = new TestNamespace()) {
      namespace.nft(
          """
          table ip portolan {
            chain c {
              comment "token: %s"
            }
            set s {
              type ipv4_addr
              elements = { 192.0.2.1 comment "password=%s" }
            }
          }
          table ip private-stuff {
            chain innermost {
              counter comment "confidential"
            }
          }
          """
              .formatted(JWT, PASSWORD));
      Subject subject =
          Patient.of(
              namespace.path(),
              folder.resolve("none.sock"),
              "mode: nftables\nhostnameOverride: n1\n",
              () -> Kubeconfig.read(kubeconfig, Optional.empty()),
              List.of(kubeconfig));
      Bundle bundle = Bundle.of(subject, List.of("portolan 1", "Authorization: Bearer " + TOKEN));

      Map<String, String> files = read(bundle);
      assertThat(files.keySet())
          .containsExactlyElementsOf(
              bundle.files().stream().map(name -> "portolan/" + name).toList())
          .contains(
              "portolan/doctor.txt",
              "portolan/doctor.json",
              "portolan/configuration.yaml",
              "portolan/rules/nftables.txt",
              "portolan/sysctls.txt");
      String all = String.join("\n", files.values());
      assertThat(all)
          .contains("ended with 1 and said", "hostnameOverride: n1", "chain c", "c0000201")
          .doesNotContain(
              TOKEN,
              FILE_TOKEN,
              PASSWORD,
              VARIABLE,
              JWT,
              key,
              "innermost",
              "confidential",
              "PRIVATE KEY")
          .contains(Redaction.MARK);
      for (String line : new String(pem, StandardCharsets.US_ASCII).lines().toList()) {
        assertThat(all).doesNotContain(line);
      }
      assertThat(bundle.leftOut())
          .anyMatch(line -> line.contains("credentials"))
          .anyMatch(line -> line.contains("no daemon answers"));
    }
  }

  @Test
  void aDaemonThatTellsItsSecretsIsNotRepeated() throws Exception {
    String secret = "planted-by-the-daemon";
    Path log = folder.resolve("daemon.log");
    try (TestNamespace namespace = new TestNamespace()) {
      Process daemon =
          new ProcessBuilder(
                  "ip",
                  "netns",
                  "exec",
                  namespace.namespace().path().getFileName().toString(),
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  TalkativeDaemon.class.getName(),
                  "dev.portolan.cli.Main",
                  "--token",
                  secret)
              .redirectError(log.toFile())
              .start();
      try {
        assertThat(daemon.inputReader().readLine()).isEqualTo("ready");
        Bundle bundle =
            Bundle.of(
                Patient.of(namespace.path(), folder.resolve("none.sock"), "mode: nftables\n"),
                List.of());
        Map<String, String> files = read(bundle);
        assertThat(files.keySet())
            .contains(
                "portolan/daemon/command-line.txt",
                "portolan/daemon/healthz.txt",
                "portolan/daemon/metrics.txt",
                "portolan/daemon/configz.txt",
                "portolan/daemon/log.txt");
        assertThat(files.get("portolan/daemon/log.txt")).contains("I1116 request token=[redacted]");
        assertThat(files.get("portolan/daemon/metrics.txt")).contains("\"page\": \"/metrics\"");
        assertThat(files.values()).allSatisfy(text -> assertThat(text).doesNotContain(secret));
      } finally {
        daemon.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void whatLooksLikeASecretIsTakenOut() throws Exception {
    String key = new String(Certificates.made().key("client"), StandardCharsets.US_ASCII);
    Redaction redaction = Redaction.of(List.of(kubeconfig("x")));
    for (String planted :
        List.of(
            "token " + TOKEN,
            "I1116 \"request\" authorization=\"Bearer planted-abcdef\"",
            "{\"authorization\":\"Basic cGxhbnRlZA==\"}",
            "curl -H 'Authorization: Basic planted-xyz'",
            "--token=planted-1 --password planted-2",
            "AWS_SECRET_ACCESS_KEY=planted-3",
            "{\"clientSecret\": \"planted-4\", \"a\": 1}",
            "proxy-url: http://planted:planted@proxy:3128",
            "client-key-data: cGxhbnRlZC1rZXk=",
            "password: 'planted 5'",
            "x " + JWT + " y",
            FILE_TOKEN,
            key)) {
      String clean = redaction.clean("before\n" + planted + "\nafter");
      assertThat(clean)
          .contains(Redaction.MARK, "before", "after")
          .doesNotContain("planted", "cGxhbnRlZ", JWT);
      assertThat(clean).doesNotContain(key.lines().skip(1).findFirst().orElseThrow());
    }
    String harmless =
        """
        # HELP kubeproxy_sync_proxy_rules_duration_seconds x
        spec: {ports: [80]}
        syncPeriod: 30s
        """;
    assertThat(redaction.clean(harmless)).isEqualTo(harmless);
  }
}
