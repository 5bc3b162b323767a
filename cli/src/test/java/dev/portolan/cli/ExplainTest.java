package dev.portolan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.cli.Shell.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExplainTest {
  @Test
  void saysWhatHappensThenWhyThenWhoIsLeftOut() {
    Result result = Shell.shop("worker-1", "explain", "shop/web");

    assertThat(result.status()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.lines())
        .startsWith(
            "10.96.20.10:80/TCP  from a pod of this node  →  forward",
            "",
            "  50 %  10.244.1.51:8080  worker-1  Pod shop/web-66b8d-c4nvq  ready",
            "  50 %  10.244.2.51:8080  worker-2  Pod shop/web-66b8d-h8sjd  ready",
            "  not masqueraded",
            "",
            "why",
            "  1. 10.96.20.10:80/TCP is the cluster IP of shop/web:http")
        .containsSequence("left out", "  10.244.3.51:8080  not ready");
    assertThat(result.out()).contains("services.yaml:105").contains("spec.internalTrafficPolicy");
  }

  @ParameterizedTest
  @CsvSource({
    "worker-1, shop/web:http, pod, 0, forward",
    "worker-1, shop/web:80, node, 0, forward",
    "worker-1, 10.96.0.10:53/udp, pod, 0, forward",
    "worker-1, 30080, external, 0, forward",
    "worker-1, 192.168.10.11:30080, external, 0, forward",
    "worker-1, 203.0.113.10:443, 198.51.100.7, 0, forward",
    "worker-1, 203.0.113.10:443, external, 1, drop",
    "worker-2, 203.0.113.10:443, 198.51.100.7, 1, drop",
    "worker-3, monitoring/agent, pod, 1, drop",
    "worker-1, shop/payments, pod, 1, reject",
    "worker-1, 10.96.0.10:54, pod, 1, reject",
    "worker-1, 10.96.99.99:80, pod, 1, drop",
    "worker-1, 8.8.8.8:53, pod, 1, none",
    "worker-1, 192.168.10.12:30080, external, 1, none",
    "worker-1, shop/nothing, pod, 1, none",
    "worker-1, shop/web:nothing, pod, 1, none",
  })
  void endsWithZeroOnlyIfForwarded(
      String node, String target, String client, int status, String verdict) {
    Result text = Shell.shop(node, "explain", target, "--client", client);
    assertThat(text.status()).isEqualTo(status);
    assertThat(text.lines().getFirst()).endsWith("→  " + verdict);

    Result json = Shell.shop(node, "explain", target, "--client", client, "-o", "json");
    assertThat(json.status()).isEqualTo(status);
    Map<String, Object> tree = json.tree();
    assertThat(tree).containsEntry("verdict", verdict);
    assertThat(Shell.list(tree.get("endpoints")).isEmpty()).isEqualTo(status != 0);
    assertThat(Shell.list(tree.get("steps"))).isNotEmpty();
    assertThat(tree.get("masquerade")).isInstanceOf(Boolean.class);
  }

  @Test
  void sharesAddUpToOne() {
    Map<String, Object> tree = Shell.shop("worker-1", "explain", "shop/web", "-o", "json").tree();

    assertThat(Shell.list(tree.get("endpoints")))
        .extracting(endpoint -> endpoint.get("address"), endpoint -> endpoint.get("share"))
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("10.244.1.51", 0.5),
            org.assertj.core.groups.Tuple.tuple("10.244.2.51", 0.5));
    assertThat(Shell.list(tree.get("leftOut")).getFirst())
        .containsEntry("address", "10.244.3.51:8080")
        .containsEntry("reason", "not ready")
        .containsEntry("object", "EndpointSlice shop/web-h7v5p")
        .containsEntry("field", "endpoints[2].conditions.ready");
    assertThat(Shell.list(tree.get("steps")).getFirst())
        .containsEntry("object", "Service shop/web")
        .containsEntry("place", Shell.SHOP + "/services.yaml:105");
    assertThat(tree).containsEntry("service", "shop/web:http").doesNotContainKey("others");
  }

  @Test
  void severalPortsFollowOneAnother() {
    Result text = Shell.shop("worker-1", "explain", "kube-system/kube-dns");
    assertThat(text.status()).isZero();
    assertThat(text.lines().stream().filter(line -> line.contains("→"))).hasSize(3);

    Map<String, Object> tree =
        Shell.shop("worker-1", "explain", "kube-system/kube-dns", "-o", "yaml").tree();
    assertThat(tree).containsEntry("service", "kube-system/kube-dns:dns");
    assertThat(Shell.list(tree.get("others")))
        .extracting(other -> other.get("service"))
        .isEqualTo(List.of("kube-system/kube-dns:dns-tcp", "kube-system/kube-dns:metrics"));
  }

  @Test
  void aPodThatReachesItselfIsMasqueradedThere() {
    Result text = Shell.shop("worker-1", "explain", "shop/cart", "--client", "10.244.1.21");
    assertThat(text.out()).contains("ready, masqueraded", "masqueraded only where noted");

    Map<String, Object> tree =
        Shell.shop("worker-1", "explain", "shop/cart", "--client", "10.244.1.21", "-o", "json")
            .tree();
    assertThat(tree).containsEntry("masquerade", false);
    assertThat(Shell.list(tree.get("endpoints")))
        .extracting(endpoint -> endpoint.get("masquerade"))
        .isEqualTo(List.of(true, false));
  }

  @Test
  void theOptionsOfKubeProxyShapeTheAnswer() {
    Result plain = Shell.shop("worker-1", "explain", "shop/web");
    assertThat(plain.out()).contains("not masqueraded");

    Result masquerading = Shell.shop("worker-1", "explain", "--masquerade-all", "shop/web");
    assertThat(masquerading.out()).contains("\n  masqueraded\n");

    Result otherPod = Shell.shop("worker-1", "explain", "shop/web", "--client", "10.244.2.7");
    assertThat(otherPod.out()).contains("\n  masqueraded\n");

    Result wholeCluster =
        Shell.shop(
            "worker-1",
            "explain",
            "shop/web",
            "--client=10.244.2.7",
            "--cluster-cidr=10.244.0.0/16,fd00:10:244::/48");
    assertThat(wholeCluster.out()).contains("  not masqueraded");

    Result elsewhere =
        Shell.shop(
            "worker-1", "explain", "192.168.10.11:30080", "--nodeport-addresses", "10.0.0.0/8");
    assertThat(elsewhere.status()).isEqualTo(1);
    assertThat(elsewhere.out()).contains("--nodeport-addresses");
  }

  @Test
  void staysWithinEightyColumns() {
    for (String target : List.of("shop/web", "shop/cart", "203.0.113.10:443", "10.96.99.99:80")) {
      assertThat(Shell.shop("worker-1", "explain", target).lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b/c", "shop/web:", "1.2.3.4:99999", ":0", "no_such"})
  void aTargetThatMakesNoSenseIsAMistake(String target) {
    Result result = Shell.shop("worker-1", "explain", target);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("portolan: '" + target + "'");
  }

  @Test
  void aClientThatCannotBeIsAMistake() {
    Result nobody = Shell.shop("worker-1", "explain", "shop/web", "--client", "me");
    assertThat(nobody.status()).isEqualTo(2);
    assertThat(nobody.err())
        .startsWith(
            "portolan: --client: 'me' is not a valid client; write pod, node, external or an IP"
                + " address");

    Result clash = Shell.shop("worker-1", "explain", "10.96.0.10:53", "--client", "fd00::1");
    assertThat(clash.status()).isEqualTo(2);
    assertThat(clash.err()).contains("they must be of the same family");
  }
}
