package dev.portolan.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.testbase.Certificates;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way to the server from inside of a pod. */
@Timeout(60)
class InClusterTest {
  private static final ClientLimits LIMITS = new ClientLimits(-1, 0, "portolan/test");

  @TempDir private Path folder;

  @Test
  void the_service_account_is_shown_and_its_token_rotates() throws Exception {
    mount("first");
    try (TestServer server = TestServer.secure("server");
        ApiServer api =
            ApiServer.connect(
                InCluster.find(pod("127.0.0.1", server.port()), folder, ""), LIMITS)) {
      api.get("/", "*/*").close();
      assertThat(server.last().authorization()).isEqualTo("Bearer first");
      // A kubelet replaces the folder by turning a link.
      Files.writeString(folder.resolve("next"), "second");
      Files.createSymbolicLink(folder.resolve("link"), folder.resolve("next"));
      Files.move(folder.resolve("link"), folder.resolve("token"), StandardCopyOption.ATOMIC_MOVE);
      api.get("/", "*/*").close();
      assertThat(server.last().authorization()).isEqualTo("Bearer second");
    }
  }

  @Test
  void an_ipv6_address_gets_its_brackets() throws Exception {
    mount("token");
    assertThat(InCluster.find(pod("fd00::1", 443), folder, "give --kubeconfig").server())
        .isEqualTo(URI.create("https://[fd00::1]:443"));
  }

  @Test
  void a_process_outside_of_a_pod_is_told_what_to_give() {
    assertThatThrownBy(() -> InCluster.find(Map.of(), folder, "give --kubeconfig"))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "no API server was named, and this process does not run in a pod:"
                + " KUBERNETES_SERVICE_HOST is not set; give --kubeconfig");
  }

  @Test
  void a_pod_without_a_token_is_told_to_mount_it() {
    assertThatThrownBy(() -> InCluster.find(pod("10.0.0.1", 443), folder, "give --kubeconfig"))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            folder.resolve("token")
                + ": no such file; let the pod mount the token of its service account");
  }

  @Test
  void a_broken_authority_is_told() throws Exception {
    mount("token");
    Files.writeString(folder.resolve("ca.crt"), "nothing");
    assertThatThrownBy(() -> InCluster.find(pod("10.0.0.1", 443), folder, "give --kubeconfig"))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            folder.resolve("ca.crt")
                + ": it contains no certificate, which starts with '-----BEGIN"
                + " CERTIFICATE-----'; correct the ConfigMap kube-root-ca.crt");
  }

  private void mount(String token) throws Exception {
    Files.writeString(folder.resolve("token"), token);
    Files.write(folder.resolve("ca.crt"), Certificates.made().certificate("authority"));
  }

  private static Map<String, String> pod(String host, int port) {
    return Map.of("KUBERNETES_SERVICE_HOST", host, "KUBERNETES_SERVICE_PORT", String.valueOf(port));
  }
}
