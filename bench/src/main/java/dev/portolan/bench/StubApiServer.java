package dev.portolan.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.Service;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * As much of an API server as a kube-proxy asks for: lists and watches, in JSON, of a cluster whose
 * endpoints may change.
 */
final class StubApiServer implements AutoCloseable {
  private final HttpServer server;
  private final List<OutputStream> sliceWatches = new CopyOnWriteArrayList<>();
  private int resourceVersion = 1;

  /** Listens on loopback, in the network namespace of the calling thread. */
  StubApiServer(SyntheticCluster cluster) throws IOException {
    List<String> services = new ArrayList<>();
    List<String> slices = new ArrayList<>();
    for (int i = 0; i < cluster.services(); i++) {
      services.add(service(cluster.service(i)));
      slices.add(slice(cluster.slice(i, 0)));
    }
    String node =
        """
        {"kind":"Node","apiVersion":"v1","metadata":{"name":"node-0","resourceVersion":"1","uid":"n"},\
        "status":{"addresses":[{"type":"InternalIP","address":"172.16.0.1"}]}}\
        """;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    serve("/api/v1/services", "ServiceList", "v1", services);
    serve(
        "/apis/discovery.k8s.io/v1/endpointslices",
        "EndpointSliceList",
        "discovery.k8s.io/v1",
        slices);
    serve("/api/v1/nodes", "NodeList", "v1", List.of(node));
    serve(
        "/apis/networking.k8s.io/v1/servicecidrs",
        "ServiceCIDRList",
        "networking.k8s.io/v1",
        List.of());
    server.createContext(
        "/", exchange -> answer(exchange, 404, "{\"kind\":\"Status\",\"code\":404}"));
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Tells every watcher of a changed slice. */
  void change(EndpointSlice slice) {
    resourceVersion++;
    String event = "{\"type\":\"MODIFIED\",\"object\":" + slice(slice) + "}\n";
    sliceWatches.removeIf(watch -> !tell(watch, event));
  }

  private static boolean tell(OutputStream watch, String event) {
    try {
      watch.write(event.getBytes(StandardCharsets.UTF_8));
      watch.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void serve(String path, String kind, String version, List<String> objects) {
    server.createContext(
        path,
        exchange -> {
          String query = String.valueOf(exchange.getRequestURI().getQuery());
          if (!query.contains("watch=true") && !query.contains("watch=1")) {
            answer(
                exchange,
                200,
                String.format(
                    Locale.ROOT,
                    "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[%s]}",
                    kind,
                    version,
                    String.join(",", objects)));
            return;
          }
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          if (query.contains("sendInitialEvents=true")) {
            String added =
                objects.stream()
                    .map(object -> "{\"type\":\"ADDED\",\"object\":" + object + "}\n")
                    .collect(Collectors.joining());
            body.write(added.getBytes(StandardCharsets.UTF_8));
            String end =
                String.format(
                    Locale.ROOT,
                    "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":"
                        + "{\"resourceVersion\":\"1\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n",
                    kind.substring(0, kind.length() - "List".length()),
                    version);
            body.write(end.getBytes(StandardCharsets.UTF_8));
          }
          body.flush();
          if (kind.equals("EndpointSliceList")) {
            sliceWatches.add(body);
          }
        });
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String service(Service service) {
    Service.Port port = service.ports().getFirst();
    String ip = service.clusterIps().getFirst();
    return String.format(
        Locale.ROOT,
        "{\"kind\":\"Service\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\",\"uid\":\"%s\","
            + "\"resourceVersion\":\"1\"},\"spec\":{\"type\":\"ClusterIP\",\"clusterIP\":\"%s\",\"clusterIPs\":[\"%s\"],"
            + "\"ipFamilies\":[\"IPv4\"],\"ports\":[{\"name\":\"%s\",\"protocol\":\"TCP\",\"port\":%d}]}}",
        service.name().name(),
        service.name().namespace(),
        service.name(),
        ip,
        ip,
        port.name(),
        port.port());
  }

  private String slice(EndpointSlice slice) {
    String endpoints =
        slice.members().stream()
            .map(member ->
                String.format(
                    Locale.ROOT,
                    "{\"addresses\":[\"%s\"],\"conditions\":{\"ready\":true},\"nodeName\":\"%s\"}",
                    member.addresses().getFirst(),
                    member.node()))
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "{\"kind\":\"EndpointSlice\",\"apiVersion\":\"discovery.k8s.io/v1\",\"metadata\":{\"name\":\"%s\","
            + "\"namespace\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%d\",\"labels\":"
            + "{\"kubernetes.io/service-name\":\"%s\"}},\"addressType\":\"IPv4\",\"ports\":[{\"name\":\"http\","
            + "\"protocol\":\"TCP\",\"port\":8080}],\"endpoints\":[%s]}",
        slice.name().name(),
        slice.name().namespace(),
        slice.name(),
        resourceVersion,
        slice.serviceName(),
        endpoints);
  }
}
