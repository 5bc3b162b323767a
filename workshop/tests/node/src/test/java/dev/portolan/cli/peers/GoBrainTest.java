package dev.portolan.cli.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.transport.Address;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.cli.daemon.Daemon;
import dev.portolan.client.Connection;
import dev.portolan.client.RelaySource;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.cluster.ClusterChange;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.Source;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.Routes;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.ServicePortName;
import dev.portolan.core.node.Traffic;
import dev.portolan.core.node.Verdict;
import dev.portolan.server.BrainServer;
import dev.portolan.server.ListenAddress;
import dev.portolan.server.Options;
import dev.portolan.testbase.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Our client on a brain in Go, which says what KPNG's says and nothing else. */
@NeedsGoPrograms
@Timeout(120)
final class GoBrainTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final NamespacedName WEB = new NamespacedName("shop", "web");
  private static final NamespacedName DNS = new NamespacedName("shop", "dns");

  private static final String WEB_SERVICE =
      """
      {"Namespace": "shop", "Name": "web", "Type": "LoadBalancer",
       "IPs": {"ClusterIPs": {"V4": ["10.96.0.1"], "V6": ["fd96::1"]},
               "ExternalIPs": {"V4": ["192.0.2.1"]},
               "LoadBalancerIPs": {"V4": ["203.0.113.1"]}},
       "IPFilters": [{"SourceRanges": ["198.51.100.0/24"]}],
       "Ports": [{"Name": "https", "Protocol": "TCP", "Port": 443, "NodePort": 30443,
                  "TargetPortName": "tls"}],
       "ExternalTrafficToLocal": true, "ClientIP": {"TimeoutSeconds": 600},
       "HealthCheckNodePort": 32000}\
      """;

  private static final String DNS_SERVICE =
      """
      {"Namespace": "shop", "Name": "dns", "Type": "ClusterIP",
       "IPs": {"ClusterIPs": {"V4": ["10.96.0.2"]}, "ExternalIPs": {}},
       "Ports": [{"Protocol": "UDP", "Port": 53, "TargetPort": 5353}]}\
      """;

  /** Two pods with their names, and an endpoint that has none. */
  private static final String NODE_STATE =
      """
      {"ServicesSet": {"shop/web": %s, "shop/dns": %s},
       "EndpointsSet": {
         "shop/web/web-1": {"IPs": {"V4": ["10.244.1.1"]}, "Local": true,
           "PortOverrides": [{"Name": "https", "Port": 8443}],
           "Scopes": {"Internal": true, "External": true}},
         "shop/web/web-2": {"IPs": {"V4": ["10.244.2.1"]},
           "PortOverrides": [{"Name": "https", "Port": 9443}], "Scopes": {"Internal": true}},
         "shop/web/1f2e3d": {"IPs": {"V6": ["fd10::1"]},
           "PortOverrides": [{"Name": "https", "Port": 8443}], "Scopes": {"Internal": true}}}}
      """
          .formatted(WEB_SERVICE, DNS_SERVICE);

  /** One pod has another name, and the other service an endpoint that names no ports. */
  private static final String NEXT_NODE_STATE =
      """
      {"ServicesSet": {"shop/web": %s, "shop/dns": %s},
       "EndpointsSet": {
         "shop/web/web-3": {"IPs": {"V4": ["10.244.1.3"]}, "Local": true,
           "PortOverrides": [{"Name": "https", "Port": 8443}],
           "Scopes": {"Internal": true, "External": true}},
         "shop/dns/9abc": {"IPs": {"V4": ["10.244.1.9"]},
           "Scopes": {"Internal": true, "External": true}}}}
      """
          .formatted(WEB_SERVICE, DNS_SERVICE);

  private static final String LAST_NODE_STATE =
      "{\"ServicesSet\": {\"shop/dns\": %s}}".formatted(DNS_SERVICE);

  /** Each endpoint is there twice, as KPNG sends it: by its service, and by its slice. */
  private static final String CLUSTER = cluster("n1");

  private static String cluster(String node) {
    String endpoint =
        """
        {"Hash": 7, "Namespace": "shop", "SourceName": "web-x", "ServiceName": "web",
         "PodName": "web-1", "Conditions": {"Ready": true},
         "Topology": {"Node": "%s", "Zone": "za"}, "Hints": {"Zones": ["za"]},
         "Endpoint": {"IPs": {"V4": ["10.244.1.1"]},
                      "PortOverrides": [{"Name": "https", "Port": 8443}]}}\
        """
            .formatted(node);
    return """
    {"GlobalServiceInfos": {"shop|web||": {"Hash": 1, "Service": %s}},
     "GlobalEndpointInfos": {"shop|web|web-x|7": %s, "shop||web-x|7": %s},
     "GlobalNodeInfos": {"|n1||": {"Hash": 3, "Node": {"Name": "n1",
       "Topology": {"Node": "n1", "Zone": "za"}}}}}
    """
        .formatted(WEB_SERVICE, endpoint, endpoint);
  }

  private final Path folder;
  private final Address socket;
  private final BlockingQueue<ClusterImage> clusters = new LinkedBlockingQueue<>();

  GoBrainTest(@TempDir Path folder) {
    this.folder = folder;
    this.socket = new Address.Unix(folder.resolve("go.sock"));
  }

  @Test
  void theImageHoldsWhatWasServed() throws Exception {
    try (GoBrain brain = new GoBrain(folder, socket, Optional.empty(), NODE_STATE);
        Connection connection = Connection.open(socket, Optional.empty());
        RemoteNode node = follow(connection)) {
      await(node, 1);
      assertThat(node.image().services().size()).isEqualTo(2);
      assertThat(node.image().service(WEB)).isEqualTo(web());
      NodeService dns = node.image().service(DNS);
      assertThat(dns.ports()).hasSize(1);
      assertThat(dns.ports().getFirst().verdict(Traffic.INTERNAL)).isEqualTo(Verdict.REJECT);

      brain.serve(NEXT_NODE_STATE);
      await(node, 2);
      assertThat(addresses(node, WEB)).containsExactly("10.244.1.3:8443");
      assertThat(addresses(node, DNS)).as("the target's number").containsExactly("10.244.1.9:5353");

      brain.serve(LAST_NODE_STATE);
      await(node, 3);
      assertThat(node.image().services().size()).isEqualTo(1);
      assertThat(addresses(node, DNS)).isEmpty();
    }
  }

  private static NodeService web() {
    Endpoint first = new Endpoint(Ip.of("10.244.1.1"), 8443, "n1");
    Endpoint second = new Endpoint(Ip.of("10.244.2.1"), 9443, "");
    Endpoint sixth = new Endpoint(Ip.of("fd10::1"), 8443, "");
    ServicePortName name = new ServicePortName(WEB, "https", Protocol.TCP);
    return new NodeService(
        WEB,
        ServiceType.LOAD_BALANCER,
        32000,
        1,
        List.of(
            new ServicePort(
                name,
                ServiceAddress.list(
                    Ip.of("10.96.0.1"),
                    443,
                    List.of(Ip.of("192.0.2.1")),
                    List.of(Ip.of("203.0.113.1")),
                    30443),
                List.of(Cidr.of("198.51.100.0/24")),
                600,
                Routes.of(
                    Pool.CLUSTER, Verdict.FORWARD, Pool.LOCAL, Verdict.FORWARD, Verdict.FORWARD),
                List.of(first, second),
                List.of(first),
                List.of(first, second)),
            new ServicePort(
                name,
                ServiceAddress.list(Ip.of("fd96::1"), 443, List.of(), List.of(), 30443),
                List.of(),
                600,
                Routes.of(Pool.CLUSTER, Verdict.FORWARD, Pool.LOCAL, Verdict.DROP, Verdict.FORWARD),
                List.of(sixth),
                List.of(),
                List.of(sixth))));
  }

  /**
   * KPNG's protocol does not say which Nodes there are, so no command may say that one is missing.
   */
  @Test
  void nobodySaysThatTheNodeIsMissing() throws Exception {
    try (GoBrain brain = new GoBrain(folder, socket, Optional.empty(), NODE_STATE)) {
      String shown = portolan("show", "node", "--api=" + brain.address(), "--node=n1");
      assertThat(shown).contains("n1 (the server does not say more of Nodes)");
      assertThat(portolan("show", "--api=" + brain.address(), "--node=n1"))
          .contains("shop/web")
          .doesNotContain("Node");
    }
  }

  private static String portolan(String... words) throws Exception {
    List<String> line = new ArrayList<>(Daemon.program());
    line.addAll(List.of(words));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void aRestartIsSeenOnlyByWhatItChanged() throws Exception {
    try (GoBrain brain = new GoBrain(folder, socket, Optional.empty(), NODE_STATE);
        Connection connection = Connection.open(socket, Optional.empty());
        RemoteNode node = follow(connection)) {
      await(node, 1);
      brain.restart(NODE_STATE);
      brain.awaitTaken();
      assertThat(node.image().revision()).as("nothing differs").isEqualTo(1);
      brain.restart(NEXT_NODE_STATE);
      await(node, 2);
      assertThat(addresses(node, WEB)).containsExactly("10.244.1.3:8443");
      brain.restart(LAST_NODE_STATE);
      await(node, 3);
      assertThat(node.image().services().size()).isEqualTo(1);
    }
  }

  @Test
  void certificatesOfBothSidesAreUnderstood() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    Address port = new Address.Tcp("127.0.0.1", 0);
    try (GoBrain brain =
            new GoBrain(
                folder, port, Optional.of(certificates.files("server", "authority")), NODE_STATE);
        Connection connection =
            Connection.open(
                brain.address(), Optional.of(certificates.files("client", "authority")));
        RemoteNode node = follow(connection);
        Connection stranger =
            Connection.open(
                brain.address(), Optional.of(certificates.files("stranger", "authority")));
        RemoteNode refused = follow(stranger)) {
      await(node, 1);
      assertThat(node.image().service(WEB)).isEqualTo(web());
      Await.until("the reason arrives", () -> refused.link().lastError().isPresent());
      assertThat(refused.image().isSynced()).isFalse();
    }
  }

  @Test
  void aRelayFeedsOnEndpointsOneByOne() throws Exception {
    try (GoBrain brain = new GoBrain(folder, socket, Optional.empty(), CLUSTER);
        Connection connection = Connection.open(socket, Optional.empty())) {
      Thread relay = relay(connection, clusters::add);
      try {
        ClusterImage cluster = next();
        Service web = cluster.services().get(WEB);
        assertThat(web.clusterIps()).containsExactly("10.96.0.1", "fd96::1");
        assertThat(web.sourceRanges()).containsExactly("198.51.100.0/24");
        assertThat(cluster.nodes().get("n1"))
            .isEqualTo(new Node("n1", List.of(), List.of(), "za", List.of(), false));
        assertThat(cluster.slicesOf(WEB)).hasSize(1);
        assertThat(cluster.slicesOf(WEB).getFirst().members())
            .containsExactly(
                new EndpointSlice.Member(
                    List.of("10.244.1.1"),
                    EndpointSlice.Conditions.READY,
                    "n1",
                    "za",
                    List.of("za"),
                    List.of(),
                    "Pod shop/web-1"));

        brain.restart(CLUSTER);
        brain.awaitTaken();
        assertThat(clusters).as("nothing differs").isEmpty();
        brain.restart(cluster("n2"));
        ClusterImage second = next();
        ClusterChange difference = ClusterChange.between(cluster, second);
        assertThat(difference.services()).isEmpty();
        assertThat(difference.nodes()).isEmpty();
        assertThat(difference.slices()).hasSize(1);

        brain.serve("{}");
        assertThat(next()).isEqualTo(ClusterImage.EMPTY);
      } finally {
        stop(relay);
      }
    }
  }

  /** From Go through a brain of ours to Go: what enters at one end comes out at the other. */
  @Test
  void aBrainStandsBetweenTwoProgramsInGo() throws Exception {
    Brain between = new Brain(warning -> {});
    Address lower = new Address.Unix(folder.resolve("ours.sock"));
    try (GoBrain upper = new GoBrain(folder, socket, Optional.empty(), CLUSTER);
        Connection connection = Connection.open(socket, Optional.empty());
        NodeView view = between.open("n1", NodeSettings.DEFAULT);
        BrainServer server =
            BrainServer.start(
                between, Options.builder().listen(ListenAddress.plain(lower)).build());
        GoClient client = new GoClient(List.of("-api", lower.toString(), "-node", "n1"))) {
      Thread relay =
          relay(
              connection,
              cluster -> {
                between.apply(cluster);
                clusters.add(cluster);
              });
      try {
        next();
        List<String> first = KpngLines.of(view.image());
        assertThat(first).hasSize(1);
        assertThat(first.getFirst())
            .contains(
                "\"ips\":[\"10.244.1.1\"]", "\"local\":true", "\"clusterIPs\":[\"10.96.0.1\"");
        client.await(first);

        upper.restart(CLUSTER);
        upper.awaitTaken();
        upper.restart(cluster("n2"));
        next();
        List<String> second = KpngLines.of(view.image());
        assertThat(second.getFirst()).contains("\"ips\":[\"10.244.1.1\"]", "\"local\":false");
        client.await(second);
        assertThat(client.states()).containsExactly(first, second);
        assertThat(server.addresses()).containsExactly(lower);
      } finally {
        stop(relay);
      }
    }
  }

  private static RemoteNode follow(Connection connection) {
    return RemoteNode.open(connection, Subscription.of("n1").errorDelay(SHORT));
  }

  private static void await(RemoteNode node, long revision) throws Exception {
    Await.until("revision " + revision, () -> node.image().revision() >= revision);
    assertThat(node.image().revision()).isEqualTo(revision);
  }

  private static List<String> addresses(RemoteNode node, NamespacedName service) {
    return node.image().service(service).ports().stream()
        .flatMap(port -> port.cluster().stream())
        .map(endpoint -> endpoint.address() + ":" + endpoint.port())
        .toList();
  }

  private interface Taker {
    void take(ClusterImage cluster);
  }

  private static Thread relay(Connection connection, Taker taker) {
    Source.Sink sink =
        new Source.Sink() {
          @Override
          public void apply(ClusterImage newest) {
            taker.take(newest);
          }

          @Override
          public void report(String problem) {
            // The brain is killed now and then.
          }
        };
    return Thread.ofVirtual()
        .start(() -> {
          try {
            new RelaySource(connection, SHORT).run(sink);
          } catch (InterruptedException e) {
            // The test is over.
          }
        });
  }

  private static void stop(Thread relay) throws InterruptedException {
    relay.interrupt();
    assertThat(relay.join(Await.PATIENCE)).isTrue();
  }

  private ClusterImage next() throws InterruptedException {
    ClusterImage next = clusters.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(next).as("nothing came").isNotNull();
    return next;
  }
}
