package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Protocol;
import dev.portolan.testbase.Await;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon with {@code --traffic-counters}. */
@NeedsPeers
final class TrafficDaemonTest extends DaemonOnNode {
  private static final String CONNECTIONS = "portolan_service_connections_total";

  @TempDir private Path folder;

  @BeforeAll
  static void fill() {
    ClusterDelta.Builder all = ClusterDelta.builder();
    for (int i = 1; i <= 3; i++) {
      all.set(
          Service.named("default", "web-" + i)
              .clusterIps(List.of(address(i)))
              .ports(List.of(new Service.Port("dns", Protocol.UDP, 53, 0)))
              .build());
      all.set(
          new EndpointSlice(
              new NamespacedName("default", "web-" + i + "-1"),
              "web-" + i,
              AddressType.IPV4,
              List.of(new EndpointSlice.Port("dns", Protocol.UDP, 5353)),
              List.of(
                  new EndpointSlice.Member(
                      List.of("10.128.0." + i),
                      Conditions.READY,
                      "node-1",
                      "",
                      List.of(),
                      List.of(),
                      "")),
              false,
              null));
    }
    writer.apply(all.build());
  }

  private static String address(int service) {
    return "10.96.7." + service;
  }

  @BeforeEach
  void route() {
    host.namespace().ip("route", "add", "default", "dev", "lo");
  }

  /** Sends the first packet of {@code times} flows to a service; nothing answers. */
  private void connect(int service, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      try (DatagramSocket socket = host.namespace().namespace().visit(() -> new DatagramSocket())) {
        socket.send(
            new DatagramPacket(new byte[1], 1, new InetSocketAddress(address(service), 53)));
      }
    }
  }

  private List<String> scrape(String metric) throws Exception {
    return host.management("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(metric + "{"))
        .toList();
  }

  private static String series(String service, int count) {
    return "%s{namespace=\"default\",service=\"%s\",port=\"dns\"} %d"
        .formatted(CONNECTIONS, service, count);
  }

  @Test
  void connectionsAreMetricsAndTopListsThem() throws Exception {
    Path socket = folder.resolve("node.sock");
    try (Daemon daemon =
        host.start(
            "--traffic-counters",
            "--traffic-series=2",
            "--api-listen=unix://" + socket,
            "--chart-listen=10270")) {
      daemon.awaitSync().awaitLog("Serving the API", 1);
      daemon.awaitLog("Serving the chart", 1);
      connect(1, 5);
      assertThat(scrape(CONNECTIONS)).containsExactly(series("web-1", 5));
      connect(1, 1);
      connect(2, 2);
      assertThat(scrape(CONNECTIONS)).containsExactly(series("web-1", 6), series("web-2", 2));
      connect(3, 3);
      assertThat(scrape(CONNECTIONS))
          .containsExactly(
              series("web-1", 6),
              series("web-2", 2),
              CONNECTIONS + "{namespace=\"\",service=\"(others)\",port=\"\"} 3");
      assertThat(host.management("/metrics").body())
          .contains("portolan_service_series_others 1\n")
          .contains("portolan_traffic_read_failures_total 0\n");

      assertThat(top("--api", "unix://" + socket, "--once", "--every=200ms"))
          .contains("SERVICE", "default/web-1:dns", "default/web-3:dns");
      assertThat(host.get("127.0.0.1", 10_270, "/api/overview").body())
          .contains("\"traffic\":true");
      assertThat(host.get("127.0.0.1", 10_270, "/api/traffic?id=default/web-1").body())
          .contains("\"available\":true", "\"port\":\"dns/UDP\"", "\"connections\":6,");
      assertThat(daemon.stop()).as(daemon::log).isZero();
    }
  }

  @Test
  void countersGoWhenTheDaemonStartsWithoutThem() throws Exception {
    Path socket = folder.resolve("node.sock");
    try (Daemon daemon = host.start("--traffic-counters")) {
      daemon.awaitSync();
      assertThat(host.ruleset()).contains("map service-ips-counted");
    }
    try (Daemon daemon = host.start("--api-listen=unix://" + socket)) {
      daemon.awaitSync().awaitLog("Serving the API", 1);
      Await.until(daemon::log, () -> !host.ruleset().contains("counter"));
      assertThat(host.management("/metrics").body()).doesNotContain("portolan_service_");
      assertThat(top("--api", "unix://" + socket, "--once"))
          .contains("the daemon does not count traffic; start it with --traffic-counters");
    }
  }

  private String top(String... options) throws Exception {
    List<String> words = new ArrayList<>(host.inside());
    words.addAll(Daemon.program());
    words.add("top");
    words.addAll(List.of(options));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isLessThanOrEqualTo(2);
    return text;
  }
}
