package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.testbase.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real daemon serves nodePorts on localhost in mode nftables. */
@NeedsPeers(tools = {"ip", "nft"})
final class LocalhostTest extends DaemonOnNode {
  private static final int NODE_PORT = 30080;
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress POD = InetAddress.ofLiteral("10.244.1.5");

  @TempDir private Path folder;

  private Path configuration(String more) throws IOException {
    Path draft =
        Files.writeString(
            folder.resolve("draft"),
            """
            apiVersion: kubeproxy.config.k8s.io/v1alpha1
            kind: KubeProxyConfiguration
            mode: nftables
            clusterCIDR: 10.128.0.0/9
            hostnameOverride: node-0
            clientConnection: {kubeconfig: %s}
            conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
            oomScoreAdj: 0
            %s
            """
                .formatted(plane.kubeconfig(), more));
    return Files.move(
        draft,
        folder.resolve("config.yaml"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  private static void createServices() {
    plane.request(
        "POST",
        "/api/v1/namespaces/default/services",
        """
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},
         "spec":{"type":"NodePort","ports":[
           {"name":"http","port":80,"protocol":"TCP","nodePort":30080},
           {"name":"dns","port":53,"protocol":"UDP","nodePort":30053}]}}
        """);
    plane.request(
        "POST",
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        """
        {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",
         "metadata":{"name":"web-1","labels":{"kubernetes.io/service-name":"web"}},
         "addressType":"IPv4","endpoints":[{"addresses":["10.244.1.5"]}],
         "ports":[{"name":"http","port":8080,"protocol":"TCP"},
                  {"name":"dns","port":53,"protocol":"UDP"}]}
        """);
  }

  private static String ask(Host host) throws IOException {
    try (Socket socket =
        host.namespace().namespace().visit(() -> new Socket(LOOPBACK, NODE_PORT))) {
      socket.setSoTimeout(30_000);
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static boolean answers(Host host) {
    try {
      return ask(host).equals("pod");
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean refuses(Host host) {
    try {
      String _ = ask(host);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** From 1.38 on they are served unless they are turned off. */
  @Test
  void tcpIsServedWhatIsNotIsRejectedAndTurningItOffLeavesNothing() throws Exception {
    host.namespace().ip("address", "add", POD.getHostAddress() + "/32", "dev", "lo");
    createServices();
    Path file =
        configuration(
            "featureGates: {KubeProxyNFTablesLocalhostNodePorts: true}\n"
                + "nodePortAddresses: [127.0.0.0/8]");
    try (ServerSocket pod =
        host.namespace().namespace().visit(() -> new ServerSocket(8080, 50, POD))) {
      Thread.ofVirtual().start(() -> serve(pod));
      servesUntilTurnedOff(file);
      try (Daemon daemon = host.startWith("--config=" + file, "--emulated-version=1.38")) {
        daemon.awaitSync();
        Await.until(daemon::log, () -> answers(host));
      }
    }
  }

  private void servesUntilTurnedOff(Path file) throws Exception {
    try (Daemon daemon = host.startWith("--config=" + file, "-v=2")) {
      daemon.awaitSync();
      Await.until(daemon::log, () -> answers(host));
      assertThat(host.namespace().run("nft", "list", "table", "ip", "portolan"))
          .contains("localhost-reject-udp")
          .doesNotContain("localhost-reject-tcp");
      assertThat(host.management("/metrics").body())
          .contains("kubeproxy_nftables_localhost_nodeport_listeners{ip_family=\"IPv4\"} 1")
          .contains(
              "kubeproxy_nftables_localhost_nodeport_rejected_packets_total{ip_family=\"IPv4\","
                  + "protocol=\"UDP\"} 0");

      Path _ = configuration("nodePortAddresses: [127.0.0.0/8]");
      daemon.awaitLog("Starting again", 1);
      Await.until(daemon::log, () -> refuses(host));
      Await.until(host::ruleset, () -> !host.ruleset().contains("localhost-"));
    }
  }

  private static void serve(ServerSocket pod) {
    while (!pod.isClosed()) {
      try (Socket client = pod.accept()) {
        client.getOutputStream().write("pod".getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        return;
      }
    }
  }
}
