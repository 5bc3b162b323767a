package dev.portolan.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.portolan.netlink.ipvs.Ipvs;
import dev.portolan.netlink.ipvs.ServiceEntry;
import dev.portolan.sessions.Background;
import dev.portolan.sessions.HttpPage;
import dev.portolan.sessions.Shell;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsVm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * Mode ipvs as an operator meets it, in a kernel that has IPVS, in a release that deprecates it.
 * The API server is a small one: a real one takes minutes in the virtual machine.
 */
@NeedsVm
final class IpvsModeTest {
  private static final Path ARP_IGNORE = Path.of("/proc/sys/net/ipv4/conf/all/arp_ignore");

  private static final String META = "\"resourceVersion\":\"1\",\"uid\":\"1\"";
  private static final Map<String, String> KINDS =
      Map.of(
          "nodes", "NodeList",
          "services", "ServiceList",
          "endpointslices", "EndpointSliceList",
          "servicecidrs", "ServiceCIDRList");
  private static final Map<String, String> OBJECTS =
      Map.of(
          "nodes",
          "{\"metadata\":{\"name\":\"node-1\","
              + META
              + "},\"spec\":{\"podCIDRs\":[\"10.1.0.0/24\"]},\"status\":{\"addresses\":"
              + "[{\"type\":\"InternalIP\",\"address\":\"192.0.2.1\"}]}}",
          "services",
          "{\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\","
              + META
              + "},\"spec\":{\"clusterIP\":\"10.96.0.7\",\"clusterIPs\":[\"10.96.0.7\"],"
              + "\"ports\":[{\"port\":80,\"targetPort\":8080}]}}",
          "endpointslices",
          "{\"metadata\":{\"name\":\"web-1\",\"namespace\":\"shop\","
              + META
              + ",\"labels\":{\"kubernetes.io/service-name\":\"web\"}},\"addressType\":\"IPv4\","
              + "\"ports\":[{\"name\":\"\",\"port\":8080}],\"endpoints\":[{\"addresses\":"
              + "[\"10.1.0.5\"],\"nodeName\":\"node-1\",\"conditions\":{\"ready\":true}}]}",
          "servicecidrs",
          "");

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void itRunsIsAnnouncedAndLeavesNothing() throws Exception {
    HttpServer api =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    api.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    api.createContext("/", this::answer);
    api.start();
    try (Background _ =
        new Background(
            "kube-proxy",
            "--master=http://127.0.0.1:" + api.getAddress().getPort(),
            "--hostname-override=node-1",
            "--proxy-mode=ipvs",
            "--emulated-version=1.39",
            "--ipvs-scheduler=wlc",
            "--ipvs-strict-arp",
            "--cluster-cidr=10.1.0.0/16",
            "--conntrack-max-per-core=0",
            "--conntrack-tcp-timeout-established=0s",
            "--conntrack-tcp-timeout-close-wait=0s",
            "--oom-score-adj=0")) {
      Await.until("the server", () -> servers().equals(List.of("tcp 10.96.0.7:80 wlc")));
      assertThat(Files.readString(ARP_IGNORE).strip()).isEqualTo("1");
      Await.until(
          "the event",
          () -> events.stream().anyMatch(event -> event.contains("\"IPVSDeprecation\"")));
      assertThat(page("/proxyMode")).isEqualTo("ipvs");
      // Servers are there before the sync has ended, which is what it counts.
      Await.until(
          "the metric",
          () -> page("/metrics").contains("sync_proxy_rules_no_local_endpoints_total"));
      assertThat(page("/metrics"))
          .contains("\nportolan_deprecation{reason=\"IPVSDeprecation\"} 1\n")
          .contains(
              "\nkubernetes_feature_enabled{name=\"KubeProxyIPVS\",stage=\"DEPRECATED\"} 1\n");
      Shell.Result held = Shell.run("cleanup", "--backend=ipvs");
      assertThat(held.status()).isNotZero();
      assertThat(held.err()).contains("a running Portolan would put the rules of ipvs back");
    } finally {
      end.countDown();
      api.stop(0);
      // What the namespaces of other tests would begin with.
      Files.writeString(ARP_IGNORE, "0");
      Files.writeString(ARP_IGNORE.resolveSibling("arp_announce"), "0");
    }
    assertThat(servers()).hasSize(1);
    assertThat(Shell.run("doctor").out()).containsPattern("ok +kernel.ip_vs");
    assertThat(Shell.run("cleanup").out())
        .contains("nftables: table ip portolan-ipvs", "device kube-ipvs0");
    assertThat(servers()).isEmpty();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      String resource = path.substring(path.lastIndexOf('/') + 1);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (exchange.getRequestMethod().equals("POST")) {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        events.add(body);
        send(exchange, 201, body);
      } else if (!OBJECTS.containsKey(resource)) {
        send(exchange, 404, "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":404}");
      } else if (query.contains("watch=true")) {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        end.await();
      } else {
        send(
            exchange,
            200,
            "{\"kind\":\"%s\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[%s]}"
                .formatted(KINDS.get(resource), OBJECTS.get(resource)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static List<String> servers() {
    Optional<Ipvs> opened = Ipvs.load(Optional.empty());
    try (Ipvs kernel = opened.orElseThrow()) {
      return kernel.entries().stream().map(ServiceEntry::toString).toList();
    }
  }

  private static String page(String path) throws Exception {
    return HttpPage.read("http://127.0.0.1:10249" + path).body();
  }
}
