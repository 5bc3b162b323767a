package dev.portolan.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.netlink.lab.TestNamespace;
import dev.portolan.testbase.Await;
import dev.portolan.testbase.NeedsKernel;
import dev.portolan.testbase.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kube-proxy --api}: the whole daemon on a real kernel, with a brain in another process that
 * decides for it.
 */
@NeedsKernel(tools = {"ip", "nft"})
final class FedByBrainTest {
  private static final Path SHOP = RepositoryRoot.resolve("examples/shop");
  private static final String NODE_ADDRESS = "192.168.10.11";
  private static final int HEALTH_CHECK = 32_100;
  private static final String TIMEOUT =
      "/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_close_wait";

  @TempDir private Path folder;
  private Path shop;
  private String api;
  @AutoClose private TestNamespace namespace;

  @BeforeEach
  void prepare() throws IOException {
    shop = Files.createDirectory(folder.resolve("shop"));
    try (Stream<Path> files = Files.list(SHOP)) {
      for (Path file : files.toList()) {
        Files.copy(file, shop.resolve(file.getFileName()));
      }
    }
    api = "unix://" + folder.resolve("brain.sock");
    namespace = new TestNamespace();
    namespace.ip("address", "add", NODE_ADDRESS + "/24", "dev", "lo");
  }

  private Daemon brain() throws IOException {
    return Daemon.start(List.of(), "brain", List.of("--from=file:" + shop, "--listen=" + api));
  }

  private Daemon proxy(String... more) throws IOException {
    return Daemon.start(
        List.of("ip", "netns", "exec", namespace.path().orElseThrow().getFileName().toString()),
        Stream.concat(
                Stream.of(
                    "--api=" + api,
                    "--proxy-mode=nftables",
                    "--hostname-override=worker-1",
                    "--conntrack-max-per-core=0",
                    "--conntrack-tcp-timeout-established=0s",
                    "--conntrack-tcp-timeout-close-wait=77s",
                    "--oom-score-adj=0",
                    "-v=2"),
                Stream.of(more))
            .toList());
  }

  private void replace(String file, String old, String now) throws IOException {
    String text = Files.readString(shop.resolve(file));
    assertThat(text).contains(old);
    Files.writeString(shop.resolve(file), text.replace(old, now));
  }

  private Host.Answer get(String address, int port, String path) throws IOException {
    return Host.get(namespace, address, port, path);
  }

  private Host.Answer health(String path) throws IOException {
    return get("127.0.0.1", 10256, path);
  }

  private String metrics() throws IOException {
    return get("127.0.0.1", 10249, "/metrics").body();
  }

  private String ruleset() {
    return namespace.run("nft", "list", "ruleset");
  }

  private String nodes() throws Exception {
    try (Daemon asking = Daemon.start(List.of(), "nodes", List.of("--api=" + api))) {
      assertThat(asking.awaitEnd()).as(asking.log()).isZero();
      return asking.log();
    }
  }

  @Test
  void aNodeFedByABrainIsAWholeKubeProxy() throws Exception {
    namespace.nft("table ip kube-proxy { chain services { counter; }; }");
    try (Daemon _ = brain();
        Daemon proxy = proxy()) {
      proxy.awaitSync();
      Await.until(proxy::log, () -> health("/healthz").status() == 200);
      assertThat(health("/healthz").body())
          .contains("\"nodeEligible\":true", "\"secondsSinceBrain\":0");
      assertThat(health("/livez").status()).isEqualTo(200);

      Await.until(proxy::log, () -> get(NODE_ADDRESS, HEALTH_CHECK, "/").status() == 200);
      assertThat(get(NODE_ADDRESS, HEALTH_CHECK, "/").body())
          .contains("\"localEndpoints\": 1", "\"serviceProxyHealthy\": true");
      assertThat(metrics())
          .contains(
              "kubeproxy_sync_proxy_rules_duration_seconds_count{ip_family=\"IPv4\"}",
              "kubeproxy_sync_proxy_rules_service_changes_total 9",
              "portolan_revision{state=\"applied\"} 1",
              "portolan_brain_connected 1");
      assertThat(get("127.0.0.1", 10249, "/proxyMode").body()).isEqualTo("nftables");
      assertThat(namespace.run("cat", TIMEOUT).strip()).isEqualTo("77");
      Await.until(proxy::log, () -> !ruleset().contains("table ip kube-proxy"));
      assertThat(proxy.log())
          .contains("Removed what kube-proxy left", "Not written as an event")
          .doesNotContain("have no effect");
      Await.until(proxy::log, () -> nodes().contains("ok"));
      assertThat(nodes()).contains("worker-1", "kube-proxy nftables");

      replace("endpointslices.yaml", "addresses: [10.244.1.41]", "addresses: [10.244.1.42]");
      Await.until(proxy::log, () -> ruleset().contains("10.244.1.42"));
      assertThat(proxy.stop()).isZero();
      assertThat(ruleset()).contains("10.244.1.42");
    }
  }

  @Test
  void theBrainMayBeAwayAtTheStartAndLater() throws Exception {
    try (Daemon proxy = proxy()) {
      proxy.awaitLog("The brain cannot be followed", 1);
      assertThat(health("/livez").status()).isEqualTo(200);
      assertThat(health("/healthz").status()).isEqualTo(503);
      try (Daemon brain = brain()) {
        proxy.awaitSync();
        Await.until(proxy::log, () -> health("/healthz").status() == 200);
        assertThat(brain.stop()).as(brain.log()).isZero();
      }
      Await.until(proxy::log, () -> metrics().contains("portolan_brain_connected 0"));
      assertThat(health("/healthz").status()).isEqualTo(200);
      assertThat(get(NODE_ADDRESS, HEALTH_CHECK, "/").status()).isEqualTo(200);
      String before = ruleset();
      replace("endpointslices.yaml", "addresses: [10.244.1.41]", "addresses: [10.244.1.42]");
      try (Daemon _ = brain()) {
        proxy.awaitLog("The brain is back", 2);
        Await.until(proxy::log, () -> ruleset().contains("10.244.1.42"));
        Await.until(proxy::log, () -> nodes().contains("ok"));
        assertThat(before).contains("10.244.1.41").doesNotContain("10.244.1.42");
        assertThat(metrics())
            .contains("portolan_revision{state=\"applied\"} 2", "portolan_brain_connected 1");
        assertThat(proxy.stop()).isZero();
      }
    }
  }

  @Test
  void aNodeThatIsDeletedIsServedOnAndTakenOutOfBalancers() throws Exception {
    try (Daemon _ = brain();
        Daemon proxy = proxy()) {
      proxy.awaitSync();
      Await.until(proxy::log, () -> health("/healthz").status() == 200);
      String rules = ruleset();
      replace("nodes.yaml", "name: worker-1", "name: worker-9");
      Await.until(proxy::log, () -> health("/healthz").status() == 503);
      assertThat(health("/livez").status()).isEqualTo(200);
      assertThat(ruleset()).isEqualTo(rules);
    }
  }

  @Test
  void whatTheBrainDecidesIsSaidToHaveNoEffectHere() throws Exception {
    try (Daemon proxy = proxy("--cluster-cidr=10.9.0.0/16", "--masquerade-all")) {
      proxy.awaitLog("have no effect", 1);
      assertThat(proxy.log()).contains("detectLocal.clusterCIDRs", "linux.masqueradeAll");
    }
  }

  @Test
  void mistakesEndTheStart() throws Exception {
    refused("--master: cannot be used with --api", "--master=https://10.0.0.1");
    refused("--api-listen: cannot be used with --api", "--api-listen=unix:///run/x.sock");
    refused("--chart-listen: cannot be used with --api", "--chart-listen=10270");
    refused("--node-taint: cannot be used with --api, because a daemon ", "--node-taint=x/y");
    refused("must be used together", "--tls-key=/x");
    refused("certificates are for tcp://", "--tls-key=/x", "--tls-crt=/x", "--tls-ca=/x");
    refused("'nonsense' is not a valid address", "--api=nonsense");
    refused("only used with --api", "--api=", "--tls-ca=/x");
  }

  private void refused(String sentence, String... flags) throws Exception {
    try (Daemon proxy = proxy(flags)) {
      assertThat(proxy.awaitEnd()).isEqualTo(1);
      assertThat(proxy.log()).contains(sentence);
    }
  }
}
