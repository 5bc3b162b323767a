package dev.portolan.cli.daemon;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.telemetry.metrics.MetricRow;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.peers.NeedsBuilt;
import dev.portolan.testkit.peers.Peers;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a daemon and a brain really serve is what the table of metrics, and so the documents, say.
 */
@NeedsPeers
final class DocumentedMetricsTest extends DaemonOnNode {
  private static final Path ROOT = RepositoryRoot.resolve("");

  /** What has no series while all goes well. */
  private static final String UNEXPECTED = "portolan_unexpected_failures_total";

  @TempDir private Path folder;

  /** A metric: its type and the labels of its first series. */
  private record Known(String type, String labels) {}

  @BeforeAll
  static void fill() {
    writer.apply(new RandomServices(5).create(0, 40));
    writer.apply(
        ClusterDelta.builder()
            .set(
                Service.named("default", "measured")
                    .clusterIps(List.of("10.97.9.9"))
                    .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
                    .build())
            .build());
  }

  private static Map<String, Known> parsed(String text) {
    Map<String, Known> metrics = new TreeMap<>();
    String name = "";
    String type = "";
    for (String line : text.lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        name = line.split(" ", -1)[2];
        type = line.split(" ", -1)[3];
      } else if (!line.startsWith("#")) {
        String labels =
            Pattern.compile("(\\w+)=\"")
                .matcher(line)
                .results()
                .map(match -> match.group(1))
                .filter(label -> !label.equals("le"))
                .collect(joining(", "));
        metrics.putIfAbsent(name, new Known(type, labels));
      }
    }
    return metrics;
  }

  /** What a daemon serves that has done everything that it counts, and then a brain. */
  private String scrapes() throws Exception {
    StringBuilder text = new StringBuilder();
    try (Daemon daemon = host.startWith("--config=" + configuration(), "--traffic-counters")) {
      daemon.awaitSync();
      knock();
      plane.request(
          "POST",
          "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
          """
          {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
           "metadata": {"name": "measured", "labels": {"kubernetes.io/service-name": "measured"},
             "annotations": {"endpoints.kubernetes.io/last-change-trigger-time": "%s"}},
           "addressType": "IPv4", "ports": [{"name": "http", "port": 8080}],
           "endpoints": [{"addresses": ["10.128.0.9"]}]}
          """
              .formatted(Instant.now()));
      Await.until(
          daemon::log,
          () ->
              host.management("/metrics")
                  .body()
                  .contains("kubeproxy_network_programming_duration_seconds_bucket"));
      assertThat(host.healthz().status()).isEqualTo(200);
      text.append(host.management("/metrics").body());
    }
    try (Daemon daemon = host.start("--proxy-mode=userspace")) {
      daemon.awaitSync();
      text.append(host.management("/metrics").body());
    }
    String api = "unix://" + folder.resolve("brain.sock");
    try (Daemon brain =
            Daemon.start(
                host.inside(),
                "brain",
                List.of(
                    "--from=file:" + ROOT.resolve("examples/shop").toRealPath(),
                    "--listen=" + api,
                    "--metrics-bind-address=127.0.0.1:10261"));
        Daemon daemon = host.start("--api=" + api, "--hostname-override=worker-1")) {
      daemon.awaitSync();
      Await.until(
          () -> brain.log() + daemon.log(),
          () -> page().contains("portolan_node_applied_revision"));
      text.append(page()).append(host.management("/metrics").body());
    }
    return text.toString();
  }

  private String page() throws IOException {
    return host.get("127.0.0.1", 10261, "/metrics").body();
  }

  private Path configuration() throws IOException {
    return Files.writeString(
        folder.resolve("config.yaml"),
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        clientConnection: {kubeconfig: %s}
        mode: nftables
        hostnameOverride: node-0
        clusterCIDR: 10.128.0.0/9
        oomScoreAdj: 0
        conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
        """
            .formatted(plane.kubeconfig()));
  }

  /** Sends a packet to every address of every map that counts. */
  private void knock() throws Exception {
    host.namespace().ip("route", "add", "default", "dev", "lo");
    Pattern element = Pattern.compile("(10\\.9[67]\\.[0-9.]+) \\. (tcp|udp) \\. ([0-9]+) counter");
    Matcher found = element.matcher(host.ruleset());
    while (found.find()) {
      InetSocketAddress to =
          new InetSocketAddress(
              InetAddress.ofLiteral(found.group(1)), Integer.parseInt(found.group(3)));
      try {
        knock(found.group(2).equals("udp"), to);
      } catch (IOException e) {
        // Nothing answers, or it is dropped here; the first packet is what counts.
      }
    }
  }

  private void knock(boolean udp, InetSocketAddress to) throws IOException {
    if (udp) {
      try (DatagramSocket socket = host.namespace().namespace().visit(() -> new DatagramSocket())) {
        socket.send(new DatagramPacket(new byte[1], 1, to));
      }
    } else {
      try (Socket socket = host.namespace().namespace().visit(() -> bound())) {
        socket.connect(to, 50);
      }
    }
  }

  private static Socket bound() throws IOException {
    Socket socket = new Socket();
    socket.bind(null);
    return socket;
  }

  @Test
  void whatIsServedIsInTheTable() throws Exception {
    Map<String, Known> served = parsed(scrapes());

    served.forEach((name, metric) -> {
      MetricRow row = MetricRow.ALL.get(name);
      assertThat(row).as(name + " in metrics.table").isNotNull();
      assertThat(row.type().toString()).as(name).isEqualTo(metric.type);
      assertThat(String.join(", ", row.labels())).as(name).isEqualTo(metric.labels);
    });
    assertThat(MetricRow.ALL.values())
        .filteredOn(row ->
            row.name().startsWith("portolan_")
                && !served.containsKey(row.name())
                && !row.name().equals(UNEXPECTED))
        .as("in the table, and not served")
        .allSatisfy(row ->
            assertThat(row.name() + row.where())
                .containsAnyOf("mode ipvs", "modes ipvs", "_ebpf_"));
  }

  /** The program that creates blocks of data reads OpenMetrics as Prometheus does. */
  @Test
  @NeedsBuilt({"etcd", "kube-apiserver", "promtool"})
  void prometheusReadsOpenMetrics() throws Exception {
    try (Daemon daemon = host.start("--traffic-counters")) {
      daemon.awaitSync();
      String open = openMetrics();
      assertThat(open).endsWith("# EOF\n").contains("# TYPE portolan_sync_failures counter\n");
      Path stamped =
          Files.writeString(
              folder.resolve("open.txt"), open.replaceAll("(?m)^([^#].*)$", "$1 1700000000"));
      Path blocks = folder.resolve("blocks");
      assertThat(
              Peers.run(
                  "promtool",
                  "",
                  List.of(
                      "tsdb",
                      "create-blocks-from",
                      "openmetrics",
                      stamped.toString(),
                      blocks.toString())))
          .contains("NUM SAMPLES");
    }
  }

  private String openMetrics() throws IOException {
    try (Socket socket =
        host.namespace()
            .namespace()
            .visit(() -> new Socket(InetAddress.ofLiteral("127.0.0.1"), 10249))) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write(
              ("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept:"
                      + " application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = text.indexOf("\r\n\r\n");
      assertThat(text.substring(0, end)).contains("Content-Type: application/openmetrics-text");
      return text.substring(end + 4);
    }
  }
}
