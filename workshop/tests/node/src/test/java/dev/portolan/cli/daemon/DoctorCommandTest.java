package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with a real daemon and a real API server is looked at. */
@NeedsPeers(tools = {"ip", "nft", "sysctl"})
final class DoctorCommandTest extends DaemonOnNode {
  @TempDir private Path folder;

  private record Run(int status, String text) {}

  private static Run run(List<String> words) throws Exception {
    List<String> all = new ArrayList<>(Daemon.program());
    all.addAll(words);
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), text);
  }

  private Path configuration() throws Exception {
    return Files.writeString(
        folder.resolve("config.yaml"),
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        mode: nftables
        clusterCIDR: 10.128.0.0/9
        hostnameOverride: node-0
        clientConnection:
          kubeconfig: %s
        oomScoreAdj: 0
        conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
        """
            .formatted(plane.kubeconfig()));
  }

  @Test
  void aNodeAtWorkIsWellAndItsArchiveHasNoToken() throws Exception {
    Path socket = folder.resolve("node.sock");
    Path archive = folder.resolve("node.zip");
    host.namespace().run("sysctl", "-qw", "net.ipv4.ip_forward=1");
    host.namespace().run("sysctl", "-qw", "net.ipv6.conf.all.forwarding=1");
    String config = "--config=" + configuration();
    try (Daemon daemon = host.startWith(config, "--api-listen=unix://" + socket, "-v=2")) {
      daemon.awaitSync().awaitLog("Serving the API", 1);
      List<String> options =
          List.of(
              config, "--api=unix://" + socket, "--netns=" + host.namespace().namespace().path());
      Run doctor = run(with("doctor", options));
      assertThat(doctor.text)
          .containsPattern("ok +rules\\.drift\\s+the kernel has exactly what revision")
          .containsPattern("ok +api\\.reach\\s+https://127.0.0.1:\\d+ answers: v1\\.")
          .containsPattern("ok +api\\.authorization\\s")
          .containsPattern("ok +certificate\\.server\\s")
          .containsPattern("ok +clock\\.skew\\s")
          .containsPattern("ok +daemon\\.health\\s")
          .containsPattern("ok +port\\.metrics\\s+127.0.0.1:10249 is served by Portolan, java")
          .containsPattern("ok +process\\.daemon\\s");
      assertThat(doctor.text.lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
      assertThat(doctor.status).as(doctor.text).isZero();

      List<String> bare = options.subList(1, options.size());
      Run unconfigured = run(with("doctor", bare));
      assertThat(unconfigured.text)
          .containsPattern("ok +rules\\.drift")
          .containsPattern("ok +api\\.reach");

      List<String> bundle = new ArrayList<>(with("bundle", options));
      bundle.addAll(List.of("-o", archive.toString()));
      Run written = run(bundle);
      assertThat(written.status).as(written.text).isZero();
      Map<String, String> files = read(archive);
      assertThat(files.keySet())
          .contains(
              "portolan/state.json",
              "portolan/rules/decided.nft",
              "portolan/rules/nftables.txt",
              "portolan/daemon/metrics.txt",
              "portolan/daemon/healthz.txt",
              "portolan/daemon/configz.txt",
              "portolan/daemon/log.txt",
              "portolan/daemon/command-line.txt");
      assertThat(files.get("portolan/daemon/metrics.txt"))
          .containsPattern("rest_client_requests_total\\{code=\"200\",host=\"127.0.0.1:\\d+\",");
      assertThat(files.get("portolan/daemon/log.txt")).contains("Serving the API");
      assertThat(files.get("portolan/state.json")).contains("\"node-0\"");

      host.namespace()
          .nft(
              "table inet fw { chain f { type filter hook forward priority 5; policy drop; }; }\n");
      Run broken = run(with("doctor", options));
      assertThat(broken.status).isEqualTo(1);
      assertThat(broken.text).containsPattern("fail +firewall\\.forward");
    }
  }

  @Test
  void aUserWithoutRightsIsTold() throws Exception {
    Path stranger = plane.kubeconfig("stranger.conf", "token: nobody-knows-this");
    Run doctor =
        run(
            List.of(
                "doctor",
                "--kubeconfig=" + stranger,
                "--netns=" + host.namespace().namespace().path(),
                "-o=json"));
    assertThat(doctor.status).isEqualTo(1);
    assertThat(doctor.text)
        .contains("does not accept these credentials (401)")
        .doesNotContain("nobody-knows-this");
  }

  private static List<String> with(String command, List<String> options) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(options);
    return words;
  }

  private static Map<String, String> read(Path archive) throws Exception {
    Map<String, String> files = new LinkedHashMap<>();
    try (InputStream in = Files.newInputStream(archive);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return files;
  }
}
