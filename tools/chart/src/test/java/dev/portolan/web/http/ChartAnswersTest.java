package dev.portolan.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.testbase.RepositoryRoot;
import dev.portolan.testkit.FamilyCluster;
import dev.portolan.web.http.RawHttp.Answer;
import dev.portolan.wiring.NodeProgress;
import dev.portolan.wiring.TrafficReading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page may ask, about the shop. */
final class ChartAnswersTest {
  private static final TrafficReading COUNTED =
      new TrafficReading(
          Instant.EPOCH,
          List.of(
              new TrafficReading.OfService(
                  new NamespacedName("shop", "web"),
                  List.of(new TrafficReading.OfPort("80/TCP", 12, 3, 4))),
              new TrafficReading.OfService(new NamespacedName("shop", "cart"), List.of())));

  @AutoClose
  private static final FedChart SHOP =
      FedChart.shop(subject ->
          subject
              .following(() ->
                  List.of(
                      new NodeProgress(
                          "worker-1", 4, 4, Duration.ZERO, true, "", "", Optional.of(2L)),
                      new NodeProgress(
                          "gone",
                          4,
                          3,
                          Duration.ofSeconds(61),
                          false,
                          "no route",
                          "",
                          Optional.empty())))
              .recordedIn(RepositoryRoot.resolve("examples/recordings/shop.rec"))
              .counting(() -> Optional.of(COUNTED)));

  @Test
  void theOverviewSaysWhatThereIs() throws IOException {
    assertThat(get("overview"))
        .containsEntry("version", "1.2.3-test")
        .containsEntry("source", "file:examples/shop")
        .containsEntry("node", "")
        .containsEntry("synced", true)
        .containsEntry("revision", 1)
        .containsEntry("services", 9)
        .containsEntry("nodes", 3)
        .containsEntry("namespaces", List.of("default", "kube-system", "monitoring", "shop"))
        .containsEntry("zones", List.of("zone-a", "zone-b"))
        .containsEntry("nodeNames", List.of("worker-1", "worker-2", "worker-3"))
        .containsEntry("mode", "nftables")
        .containsEntry("history", true)
        .containsEntry("traffic", true)
        .containsEntry("fleet", true);
  }

  @ParameterizedTest
  @CsvSource({
    "default/kubernetes, served, ''",
    "kube-system/kube-dns, served, ''",
    "monitoring/agent, degraded, 'internalTrafficPolicy Local: 1 of 3 nodes without endpoint'",
    "shop/cart, served, ''",
    "shop/payments, refused, no endpoints",
    "shop/storefront, served, ''",
    "shop/web, degraded, 1 of 3 endpoints is not ready"
  })
  void aRowSaysHowAServiceFares(String id, String state, String why) throws IOException {
    assertThat(list(get("services"), "services"))
        .filteredOn(row -> row.get("id").equals(id))
        .singleElement()
        .satisfies(row -> assertThat(row).containsEntry("state", state).containsEntry("why", why));
  }

  @Test
  void aRowHasAllThatATableShows() throws IOException {
    assertThat(list(get("services"), "services"))
        .filteredOn(row -> row.get("id").equals("shop/storefront"))
        .singleElement()
        .isEqualTo(
            Map.ofEntries(
                Map.entry("id", "shop/storefront"),
                Map.entry("namespace", "shop"),
                Map.entry("name", "storefront"),
                Map.entry("type", "LoadBalancer"),
                Map.entry("state", "served"),
                Map.entry("why", ""),
                Map.entry("ports", "443/TCP"),
                Map.entry("address", "10.96.20.9"),
                Map.entry("addresses", List.of("10.96.20.9", "203.0.113.10")),
                Map.entry("endpoints", 2),
                Map.entry("ready", 2),
                Map.entry("terminating", 0),
                Map.entry("policy", "external Local"),
                Map.entry("affinity", false)));
  }

  @Test
  void aServiceIsSeenFromANode() throws IOException {
    Map<String, Object> web = get("service?id=shop/web&node=worker-2");
    assertThat(web).containsEntry("node", "worker-2").containsEntry("internalPolicy", "Cluster");
    Map<String, Object> port = list(web, "ports").getFirst();
    assertThat(port).containsEntry("name", "http").containsEntry("port", 80);
    assertThat(list(port, "addresses"))
        .extracting(address -> address.get("address") + " " + address.get("verdict"))
        .containsExactly("10.96.20.10:80 FORWARD", "[fd00:10:96::a]:80 FORWARD");
    assertThat(list(port, "endpoints"))
        .extracting(endpoint ->
            endpoint.get("address") + " " + endpoint.get("used") + " " + endpoint.get("why"))
        .contains("10.244.1.51 true ", "10.244.3.51 false not ready");
  }

  @Test
  void endpointsOfAHeadlessServiceAreCounted() throws IOException {
    try (FedChart chart = FedChart.of(FamilyCluster.IMAGE)) {
      assertThat(list(get(chart, "services"), "services"))
          .extracting(row -> row.get("name") + " " + row.get("type") + " " + row.get("state"))
          .containsExactly("both ClusterIP served", "db Headless none");
      assertThat(list(get(chart, "services"), "services"))
          .extracting(row -> row.get("ready") + " of " + row.get("endpoints"))
          .containsExactly("2 of 2", "1 of 2");
      Map<String, Object> db = get(chart, "service?id=shop/db");
      assertThat(db).containsEntry("skipped", "it is headless (spec.clusterIP is None)");
      assertThat(list(list(db, "ports").getFirst(), "endpoints"))
          .extracting(one -> one.get("address") + " " + one.get("pod") + " " + one.get("ready"))
          .containsExactly("10.244.1.7 shop/db-0 true", "10.244.2.7 shop/db-1 false");
      chart.change(FamilyCluster::allReady);
      assertThat(list(get(chart, "services"), "services"))
          .extracting(row -> row.get("ready") + " of " + row.get("endpoints"))
          .containsExactly("2 of 2", "2 of 2");
    }
  }

  @Test
  void addressesAndEndpointsSayTheirFamily() throws IOException {
    try (FedChart chart = FedChart.of(FamilyCluster.IMAGE)) {
      Map<String, Object> port = list(get(chart, "service?id=shop/both"), "ports").getFirst();
      assertThat(list(port, "addresses"))
          .extracting(one -> one.get("address") + " " + one.get("family"))
          .containsExactly("10.96.0.9:80 IPv4", "203.0.113.9:80 IPv4", "[fd00::9]:80 IPv6");
      assertThat(list(port, "endpoints"))
          .extracting(one -> one.get("address") + " " + one.get("family"))
          .containsExactly(
              "10.244.1.9 IPv4", "10.244.2.9 IPv4", "fd00:1::9 IPv6", "fd00:2::9 IPv6");
    }
  }

  @Test
  void theFirstNodeIsMeantWhereNoneIsNamed() throws IOException {
    assertThat(get("service?id=shop/web")).containsEntry("node", "worker-1");
  }

  @Test
  void anEndpointMayBeUsedForSomeAddressesOnly() throws IOException {
    Map<String, Object> port =
        list(get("service?id=shop/storefront&node=worker-1"), "ports").getFirst();
    assertThat(list(port, "endpoints"))
        .filteredOn(endpoint -> endpoint.get("node").equals("worker-3"))
        .singleElement()
        .satisfies(endpoint ->
            assertThat(endpoint)
                .containsEntry("used", true)
                .containsEntry(
                    "why", "ClusterIP: ready; LoadBalancerIP, NodePort: on another node"));
  }

  @Test
  void whatRefusesSaysWhy() throws IOException {
    Map<String, Object> port =
        list(get("service?id=shop/payments&node=worker-1"), "ports").getFirst();
    assertThat(list(port, "addresses"))
        .singleElement()
        .satisfies(address ->
            assertThat(address)
                .containsEntry("verdict", "REJECT")
                .containsEntry("sentence", "the service has no endpoints: rejected"));
  }

  @Test
  void affinityIsThereOrNull() throws IOException {
    assertThat(get("service?id=shop/cart").get("sessionAffinity"))
        .isEqualTo(Map.of("type", "ClientIP", "timeoutSeconds", 3600));
    assertThat(get("service?id=shop/web")).containsEntry("sessionAffinity", null);
  }

  @Test
  void nodesSayHowFarTheyAre() throws IOException {
    List<Map<String, Object>> nodes = list(get("nodes"), "nodes");
    assertThat(nodes)
        .extracting(node -> node.get("name"))
        .containsExactly("gone", "worker-1", "worker-2", "worker-3");
    assertThat(nodes.getFirst())
        .containsEntry("lagSeconds", 61)
        .containsEntry("error", "no route")
        .containsEntry("special", List.of("the cluster has no Node object of this name"));
    assertThat(nodes.get(1))
        .containsEntry("zone", "zone-a")
        .containsEntry("applied", 4)
        .containsEntry("connected", true)
        .containsEntry("driftRepairs", 2);
  }

  @Test
  void aNodeHasTheServicesThatLookDifferentFromThere() throws IOException {
    assertThat(list(get("node?name=worker-1"), "services"))
        .extracting(service -> service.get("id"))
        .containsExactly("monitoring/agent", "shop/catalog", "shop/storefront");
    assertThat(list(get("node?name=worker-3"), "services").getFirst())
        .as("what this node drops comes first")
        .containsEntry("id", "monitoring/agent")
        .containsEntry("verdict", "DROP");
    assertThat(get("node?name=worker-1").get("services").toString())
        .contains("internalTrafficPolicy is Local", "hinted for this zone");
  }

  @ParameterizedTest
  @CsvSource({
    "web, service shop/web",
    "shop/web, service shop/web",
    "10.96.20.10, address 10.96.20.10",
    "fd00:10:96::a, address fd00:10:96::a",
    "10.244.1.5, endpoint 10.244.1.51",
    "web-66b8d-c4nvq, pod shop/web-66b8d-c4nvq",
    "WORKER-2, node worker-2",
    "192.168.10.13, node worker-3",
  })
  void aSearchFindsItFirst(String text, String first) throws IOException {
    Map<String, Object> hit = list(get("search?q=" + text), "hits").getFirst();
    assertThat(hit.get("kind") + " " + hit.get("text")).isEqualTo(first);
    assertThat(hit.getOrDefault("service", hit.get("node"))).isIn("shop/web", hit.get("text"));
  }

  @Test
  void aSearchForNothingFindsNothing() throws IOException {
    assertThat(list(get("search?q="), "hits")).isEmpty();
    assertThat(list(get("search?q=%00nothing"), "hits")).isEmpty();
  }

  @Test
  void trafficIsWhatWasCounted() throws IOException {
    assertThat(list(get("traffic"), "services")).hasSize(2);
    Map<String, Object> web = list(get("traffic?id=shop/web"), "services").getFirst();
    assertThat(list(web, "ports"))
        .containsExactly(Map.of("port", "80/TCP", "connections", 12, "refused", 3, "dropped", 4));
    try (FedChart plain = FedChart.shop()) {
      assertThat(RawHttp.get(plain.url(), "api/traffic").tree())
          .containsEntry("available", false)
          .containsEntry("services", List.of());
    }
  }

  @Test
  void whatCommandsKnowIsAskedOfThem() throws IOException {
    assertThat(get("explain?target=shop/web"))
        .isEqualTo(Map.of("revision", 1, "explain", "shop/web"));
    assertThat(get("whatif?drain=worker-1&drain=worker-2"))
        .isEqualTo(Map.of("revision", 1, "whatif", List.of("worker-1", "worker-2")));
    assertThat(get("history?id=shop/web")).isEqualTo(Map.of("revision", 1, "history", "shop/web"));
  }

  @ParameterizedTest
  @CsvSource({
    "nope, 404, there is no api/nope, PORT-103",
    "service?id=shop/none, 404, no service 'shop/none' in file:examples/shop, PORT-103",
    "service?id=web, 400, name a service with id=NAMESPACE/NAME, ''",
    "service?id=shop/web&node=w9, 404, no Node 'w9' in file:examples/shop, PORT-103",
    "node?name=w9, 404, no Node 'w9' in file:examples/shop, PORT-103",
    "explain?target=wrong, 400, this is not a valid question, ''",
    "history?id=missing, 404, there is nothing of that name, PORT-103"
  })
  void mistakesGetASentence(String question, int status, String sentence, String code)
      throws IOException {
    Answer answer = RawHttp.get(SHOP.url(), "api/" + question);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.error()).contains(sentence).doesNotContain("Exception", "[PORT");
    assertThat(answer.tree()).containsEntry("code", code);
  }

  @Test
  void answersArePackedWhereThatIsAccepted() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> packed =
          client.send(
              HttpRequest.newBuilder(URI.create(SHOP.url() + "api/services"))
                  .header("Accept-Encoding", "gzip")
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(packed.headers().firstValue("content-encoding")).contains("gzip");
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo(RawHttp.get(SHOP.url(), "api/services").body());
      }
    }
  }

  @Test
  void thePageIsThereWithAllItsViews() throws IOException {
    Answer page = RawHttp.get(SHOP.url(), "");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.headers()).containsEntry("content-type", "text/html; charset=utf-8");
    assertThat(RawHttp.get(SHOP.url(), "services/shop/web").body()).isEqualTo(page.body());
    String tag = page.headers().get("etag");
    assertThat(RawHttp.get(SHOP.url(), "", "If-None-Match: " + tag).status()).isEqualTo(304);
  }

  private static Map<String, Object> get(String question) throws IOException {
    return get(SHOP, question);
  }

  private static Map<String, Object> get(FedChart chart, String question) throws IOException {
    Answer answer = RawHttp.get(chart.url(), "api/" + question);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.tree();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> tree, String key) {
    return (List<Map<String, Object>>) tree.get(key);
  }
}
