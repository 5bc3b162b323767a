package dev.portolan.cli.windows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.source.file.Manifests;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.FreePort;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.peers.ObjectServer;
import dev.portolan.testkit.windows.HnsJournal;
import dev.portolan.testkit.windows.NeedsWindows;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The program on Windows, as an operator meets it: real processes, one Host Network Service. */
@NeedsWindows
final class WindowsProgramTest {
  private Path folder;
  private HnsJournal hns;

  /** The folder stays: what a process has open can be deleted on Windows only some time later. */
  @BeforeEach
  void aFolderAndANetwork() throws IOException {
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    folder = Files.createTempDirectory(target, "program");
    hns =
        HnsJournal.startWith(
            "network {\"ID\":\"A1B2C3D4-0000-4000-8000-000000000001\",\"Name\":\"cbr0\","
                + "\"Type\":\"L2Bridge\"}");
  }

  @Test
  void runFollowsAFolderUntilCtrlC() throws Exception {
    Path manifests = Files.createDirectory(folder.resolve("manifests"));
    Files.writeString(manifests.resolve("node.yaml"), node());
    Files.writeString(manifests.resolve("web.yaml"), service("web", "10.96.0.7", "10.1.5.5"));
    try (WindowsProgram program =
        WindowsProgram.start(
            folder,
            Map.of("KUBE_NETWORK", "cbr0"),
            "run",
            "--from",
            "file:" + manifests,
            "--node",
            "node-1")) {
      await(program, () -> frontends().equals(List.of("10.96.0.7")));
      Files.writeString(manifests.resolve("api.yaml"), service("api", "10.96.0.8", "10.1.5.6"));
      await(program, () -> frontends().equals(List.of("10.96.0.7", "10.96.0.8")));
      assertThat(program.stop()).as(program.output()).isZero();
      assertThat(program.output())
          .contains("node node-1: programming this host with windows, HNS 15.4, network cbr0")
          .contains("stopped; the rules stay in place");
      assertThat(program.linuxClasses()).isEmpty();
    }
    assertThat(frontends()).hasSize(2);

    try (WindowsProgram cleanup =
        WindowsProgram.start(folder, Map.of(), "cleanup", "--network-name", "cbr0")) {
      assertThat(cleanup.end()).as(cleanup.output()).isZero();
      assertThat(cleanup.output()).contains("removed from this host:");
      assertThat(cleanup.linuxClasses()).isEmpty();
    }
    assertThat(hns.loadBalancers()).isEmpty();
    assertThat(hns.endpoints()).isEmpty();
  }

  @Test
  void kubeProxyServesUntilCtrlC() throws Exception {
    int port = FreePort.next();
    try (ObjectServer api = new ObjectServer()) {
      api.apply(delta(node() + service("web", "10.96.0.7", "10.1.5.5")));
      Path config =
          Files.writeString(
              folder.resolve("config.yaml"),
              """
              apiVersion: kubeproxy.config.k8s.io/v1alpha1
              kind: KubeProxyConfiguration
              clientConnection: {kubeconfig: '%s'}
              hostnameOverride: node-1
              healthzBindAddress: 127.0.0.1:%d
              metricsBindAddress: 127.0.0.1:%d
              winkernel: {networkName: cbr0}
              """
                  .formatted(api.kubeconfig(folder.resolve("kubeconfig")), port, FreePort.next()));
      try (WindowsProgram program =
          WindowsProgram.start(folder, Map.of(), "kube-proxy", "--config", config.toString())) {
        await(program, () -> frontends().equals(List.of("10.96.0.7")));
        await(program, () -> status(port, "/healthz") == 200);
        Files.writeString(
            config, Files.readString(config).replace("cbr0", "cbr0, forwardHealthCheckVip: true"));
        await(program, () -> program.output().contains("Starting again"));
        api.apply(delta(service("api", "10.96.0.8", "10.1.5.6")));
        await(program, () -> frontends().equals(List.of("10.96.0.7", "10.96.0.8")));

        try (WindowsProgram second =
            WindowsProgram.start(folder, Map.of(), "kube-proxy", "--config", config.toString())) {
          assertThat(second.end()).isEqualTo(1);
          assertThat(second.output())
              .contains("another Portolan already programs this host: portolan kube-proxy (pid ");
        }
        assertThat(program.isAlive()).isTrue();
        assertThat(program.stop()).as(program.output()).isZero();
        assertThat(program.output()).contains("Stopped; the rules stay in place");
        assertThat(program.linuxClasses()).isEmpty();
      }
      assertThat(frontends()).hasSize(2);
    }
  }

  @Test
  void userspaceListensWithoutAnythingOfAKernel() throws Exception {
    Path manifests = Files.createDirectory(folder.resolve("manifests"));
    Files.writeString(manifests.resolve("node.yaml"), node());
    Files.writeString(manifests.resolve("web.yaml"), service("web", "10.96.0.7", "10.1.5.5"));
    try (WindowsProgram program =
        WindowsProgram.start(
            folder,
            Map.of(),
            "run",
            "--from",
            "file:" + manifests,
            "--node",
            "node-1",
            "--backend",
            "userspace",
            "--portals",
            "listen")) {
      await(program, () -> program.output().contains("revision 1: 1 service set"));
      assertThat(program.output()).contains("ClusterIP 10.96.0.7:80/TCP is served on ");
      assertThat(program.stop()).as(program.output()).isZero();
      assertThat(program.linuxClasses()).isEmpty();
    }
  }

  @Test
  void theLauncherPassesOnArgumentsAndStatus() throws Exception {
    Path home = Files.createDirectories(folder.resolve("a home"));
    Files.createDirectory(home.resolve("lib"));
    Files.copy(
        RepositoryRoot.resolve("workshop/packaging/src/main/files/windows/portolan.cmd"),
        home.resolve("portolan.cmd"));
    Files.writeString(home.resolve("java.options"), "-XX:-PrintWarnings\n");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "dev.portolan.cli.Main");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.of(System.getProperty("java.class.path").split(";"))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" ")));
    new JarOutputStream(
            Files.newOutputStream(home.resolve("lib").resolve("portolan-cli.jar")), manifest)
        .close();
    Path output = folder.resolve("output.txt");
    Process process =
        WindowsProgram.process(
            folder,
            Map.of("JAVA_HOME", System.getProperty("java.home")),
            List.of(
                "cmd.exe",
                "/c",
                home.resolve("portolan.cmd").toString(),
                "cleanup",
                "--backend",
                "nftables"),
            output);
    assertThat(process.waitFor()).as(Files.readString(output)).isEqualTo(2);
    assertThat(Files.readString(output))
        .contains("--backend: nftables needs Linux, and this is Windows");
  }

  /** The VIPs of all load balancers. */
  private List<String> frontends() {
    return hns.loadBalancers().values().stream()
        .map(json -> json.replaceFirst(".*\"FrontendVIPs\":\\[\"([^\"]*)\".*", "$1"))
        .sorted()
        .toList();
  }

  private static void await(WindowsProgram program, Callable<Boolean> condition) {
    String _ =
        Await.until(
            "what the program is to do",
            () -> {
              assertThat(program.isAlive()).as(program.output()).isTrue();
              return condition.call() ? "" : "it has printed: " + program.output();
            },
            String::isEmpty);
  }

  private static int status(int port, String path) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ClusterDelta delta(String manifests) {
    return ClusterDelta.between(
        ClusterImage.EMPTY, Manifests.parse("manifests", manifests).image());
  }

  private static String node() {
    return """
    apiVersion: v1
    kind: Node
    metadata: {name: node-1}
    spec: {podCIDRs: [10.1.0.0/24]}
    status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}
    ---
    """;
  }

  private static String service(String name, String address, String endpoint) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {name: %1$s, namespace: shop}
    spec: {clusterIP: %2$s, clusterIPs: [%2$s], ports: [{port: 80, targetPort: 8080}]}
    ---
    apiVersion: discovery.k8s.io/v1
    kind: EndpointSlice
    metadata: {name: %1$s-1, namespace: shop, labels: {kubernetes.io/service-name: %1$s}}
    addressType: IPv4
    ports: [{name: "", port: 8080}]
    endpoints: [{addresses: [%3$s], nodeName: node-2, conditions: {ready: true}}]
    ---
    """
        .formatted(name, address, endpoint);
  }
}
