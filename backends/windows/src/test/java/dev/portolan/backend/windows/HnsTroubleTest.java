package dev.portolan.backend.windows;

import static dev.portolan.backend.windows.HnsNode.NETWORK;
import static dev.portolan.backend.windows.HnsNode.balancers;
import static dev.portolan.backend.windows.HnsNode.changes;
import static dev.portolan.backend.windows.HnsNode.endpoint;
import static dev.portolan.backend.windows.HnsNode.network;
import static dev.portolan.backend.windows.HnsNode.pod;
import static dev.portolan.backend.windows.HnsNode.podId;
import static dev.portolan.backend.windows.HnsNode.remotes;
import static dev.portolan.backend.windows.HnsNode.text;
import static dev.portolan.backend.windows.TestService.image;
import static dev.portolan.backend.windows.TestService.named;
import static dev.portolan.backend.windows.TestService.web;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.backend.Audit;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.telemetry.metrics.MetricRegistry;
import dev.portolan.testkit.windows.NeedsWindows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What becomes of each error of a Host Network Service, and of what others do there. */
@NeedsWindows
final class HnsTroubleTest extends OnHns {
  private static final UUID FOREIGN = UUID.fromString("deadbeef-0000-4000-8000-00000000000f");

  @Test
  void hnsThatDoesNotRunIsSaidAndTriedAgainWithoutLosingAnything() {
    WindowsBackend backend = open();
    sync(backend, web().to("10.1.0.1:80"));
    hns.append("fail * 0x800706b5");
    NodeImage next = image(7, web().to("10.1.0.2:80"));
    assertThatThrownBy(() -> backend.sync(NodeChange.between(applied, next)))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("the Host Network Service does not run")
        .hasMessageContaining("Start-Service hns")
        .hasMessageContaining("0x6b5");
    assertThatThrownBy(() -> open()).hasMessageContaining("the Host Network Service does not run");
    hns.append("work");
    backend.sync(NodeChange.between(applied, next));
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.2 :80");
    assertThat(remotes(hns)).containsExactly("10.1.0.2");
  }

  @Test
  void aNetworkThatGoesAndComesIsFollowed() {
    WindowsBackend backend = open();
    sync(backend, web().to("10.1.0.1:80"));
    hns.append("delete network " + text(NETWORK));
    NodeImage next = image(7, web().to("10.1.0.2:80"));
    assertThatThrownBy(() -> backend.sync(NodeChange.between(applied, next)))
        .hasMessageContaining("HNS has no network cbr0 any more")
        .hasMessageContaining("Get-HnsNetwork");

    UUID second = UUID.fromString("a1b2c3d4-0000-4000-8000-000000000002");
    hns.append(
        "delete endpoint " + text(OwnIds.endpoint(NETWORK, Ip.of("10.1.0.1"))),
        network(second, "L2Bridge", ""));
    assertThat(backend.audit(applied)).isEqualTo(new Audit(1, "network cbr0 was made again"));
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.1 :80");
    assertThat(backend.audit(applied)).isEqualTo(Audit.CLEAN);
    assertThatThrownBy(() -> new WindowsBackend(options("other")).sync(NodeChange.to(next)))
        .hasMessageStartingWith("HNS has no network other, which the CNI plugin makes");
    assertThatThrownBy(() -> new WindowsBackend(options(""))).hasMessageContaining("KUBE_NETWORK");
  }

  @Test
  void whatVanishesIsNoticedAndRepaired() {
    WindowsBackend backend = open();
    sync(backend, web().to("10.1.0.1:80"), named("b", "10.96.0.11").to("10.1.0.2:80"));
    hns.append("delete endpoint " + text(podId("10.1.7.5")));
    hns.mark();
    assertThat(backend.audit(applied)).isEqualTo(Audit.CLEAN);
    assertThat(hns.calls())
        .as("a pod that ends without a service costs nothing more")
        .filteredOn(call -> call.startsWith("HcnOpen"))
        .hasSize(1);
    String gone = hns.loadBalancers().keySet().iterator().next();
    hns.append("delete loadbalancer " + gone);
    assertThat(backend.preview(applied)).hasSize(1);
    assertThat(backend.audit(applied)).isEqualTo(new Audit(1, ""));
    assertThat(hns.loadBalancers()).hasSize(2);
    hns.append("delete endpoint " + text(OwnIds.endpoint(NETWORK, Ip.of("10.1.0.1"))));
    assertThat(backend.audit(applied).repaired()).isPositive();
    assertThat(remotes(hns)).containsExactly("10.1.0.1", "10.1.0.2");
  }

  @Test
  void aLoadBalancerThatCannotBeMadeAgainIsMissingUntilItIs() {
    WindowsBackend backend = open();
    sync(backend, web().to("10.1.0.1:80"));
    for (String refusal : List.of("0x803b001e", "0x80070005")) {
      hns.append(
          "delete loadbalancer " + hns.loadBalancers().keySet().iterator().next(),
          "fail HcnCreateLoadBalancer " + refusal);
      assertMissing(backend);
      assertMissing(backend);
      hns.append("work");
      assertThat(backend.audit(applied)).isEqualTo(new Audit(1, ""));
      assertThat(backend.audit(applied)).isEqualTo(Audit.CLEAN);
    }
  }

  private void assertMissing(WindowsBackend backend) {
    assertThatThrownBy(() -> backend.audit(applied))
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.leavesRulesMissing()).isTrue());
  }

  @Test
  void aPodThatHnsDoesNotKnowYetJoinsWhenItDoes() {
    WindowsBackend backend = open();
    sync(backend, web().to("10.1.0.1:80", "10.1.7.9:80@worker-1"));
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.1 :80");
    assertThat(backend.preview(applied)).as("nothing can be done about it now").isEmpty();
    assertThat(backend.preview(image(9, web().to("10.1.7.9:80@worker-1"))))
        .as("without any endpoint there is no load balancer")
        .singleElement()
        .asString()
        .startsWith("- load balancer ");
    assertThatThrownBy(backend::tidy)
        .hasMessageContaining("HNS has no endpoint yet for 10.1.7.9, on this node");
    hns.append(pod("10.1.7.9"));
    backend.tidy();
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.1 10.1.7.9 :80");
    hns.mark();
    backend.tidy();
    assertThat(hns.calls()).as("nothing is left to do").isEmpty();
  }

  @Test
  void aPodThatIsMadeAgainWithItsAddressIsFoundAgain() {
    WindowsBackend backend = open();
    sync(backend, web().to("10.1.7.5:80@worker-1"));
    hns.append("delete endpoint " + text(podId("10.1.7.5")), endpoint(FOREIGN, "10.1.7.5", false));
    sync(backend, web().to("10.1.7.5:80@worker-1").nodePort(30080));
    assertThat(balancers(hns)).contains(":30080 -> 10.1.7.5 :80");
    backend.sync(NodeChange.between(applied, applied).inFull());
    assertThat(balancers(hns))
        .containsExactly("10.96.0.10:80 -> 10.1.7.5 :80", ":30080 -> 10.1.7.5 :80");
  }

  @Test
  void aRemoteEndpointBesideAPodWithItsAddressIsDeleted() {
    hns.append(endpoint(FOREIGN, "10.1.7.5", true));
    sync(open(), web().to("10.1.7.5:80@worker-1"));
    assertThat(remotes(hns)).isEmpty();
    assertThat(hns.loadBalancers().values())
        .singleElement()
        .asString()
        .contains(text(podId("10.1.7.5")));
  }

  @Test
  void whatCannotBeDeletedIsTriedAgainTwentyAtATime() {
    WindowsBackend backend = open();
    List<TestService> many = new ArrayList<>();
    for (int i = 1; i <= 25; i++) {
      many.add(named("s" + i, "10.96.1." + i).to("10.1.0.1:80"));
    }
    sync(backend, many.toArray(TestService[]::new));
    hns.append("fail HcnDeleteLoadBalancer 0x80070020");
    hns.mark();
    sync(backend);
    assertThat(changes(hns))
        .filteredOn("HcnDeleteLoadBalancer"::equals)
        .as("each twice")
        .hasSize(50);
    hns.mark();
    assertThatThrownBy(backend::tidy)
        .hasMessageContaining("cannot delete load balancer 706f7274-")
        .hasMessageContaining("; and 23 more");
    assertThat(changes(hns)).filteredOn("HcnDeleteLoadBalancer"::equals).hasSize(40);
    hns.append("work");
    sync(backend, web().to("10.1.0.2:80"));
    assertThat(hns.loadBalancers())
        .as("nineteen are gone; the endpoint was the twentieth")
        .hasSize(1 + 6);
    backend.tidy();
    assertThat(hns.loadBalancers()).hasSize(1);
    assertThat(remotes(hns)).containsExactly("10.1.0.2");
    hns.append("fail HcnDeleteLoadBalancer 0x80070020 1");
    sync(backend);
    assertThat(hns.loadBalancers()).as("the second try of Windows Server 2019 succeeds").isEmpty();
  }

  @Test
  void whatHnsRefusesIsSaidAndTheRestIsWritten() {
    WindowsBackend backend = open();
    hns.append("fail HcnCreateLoadBalancer 0x803b001e 1");
    NodeImage two = image(1, web().to("10.1.0.1:80"), named("b", "10.96.0.11").to("10.1.0.2:80"));
    assertThatThrownBy(() -> backend.sync(NodeChange.to(two)))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("cannot write the load balancer of default/")
        .hasMessageContaining("HNS does not take the address");
    assertThat(hns.loadBalancers()).hasSize(1);
    backend.sync(NodeChange.to(two));
    assertThat(hns.loadBalancers()).hasSize(2);
    hns.append("fail HcnCreateLoadBalancer 0x80070005 1");
    assertThatThrownBy(() -> sync(backend, web().to("10.1.0.1:80").nodePort(30080)))
        .hasMessageContaining("run as administrator");
    MetricRegistry registry = new MetricRegistry();
    WindowsMode.refusals().forEach(metric -> metric.counting().register(registry, backend));
    String created = "\nkubeproxy_sync_proxy_rules_winkernel_lb_create_failures_total";
    assertThat(registry.text())
        .contains(
            created + "{error=\"invalid_ip\",ip_family=\"IPv4\",lb_type=\"clusterip\"} 1\n",
            created + "{error=\"other\",ip_family=\"IPv4\",lb_type=\"nodeport\"} 1\n")
        .doesNotContain("lb_update", "lb_delete");
  }

  @Test
  void anOldHnsIsSaid() {
    hns.append("version 9.1");
    assertThatThrownBy(() -> open()).hasMessageContaining("Windows Server 2019 is the oldest");
    hns.append("version 10.0");
    WindowsOptions direct =
        new WindowsOptions(
            "cbr0",
            Optional.empty(),
            true,
            true,
            false,
            "cbr0",
            0,
            folder.resolve("ids"),
            Duration.ZERO);
    assertThatThrownBy(() -> new WindowsBackend(direct))
        .hasMessage(
            "HNS 10.0 has no direct server return; set winkernel.enableDSR to false, or update"
                + " Windows");
  }

  @Test
  void aLoadBalancerThatIsHalfMadeIsMadeAgain() {
    sync(open(), web().to("10.1.0.1:80"));
    String id = hns.loadBalancers().keySet().iterator().next();
    hns.append("loadbalancer {\"ID\":\"" + id + "\",\"FrontendVIPs\":[\"10.96.0.10\"]}");
    syncFirst(open(), web().to("10.1.0.1:80"));
    assertThat(balancers(hns)).containsExactly("10.96.0.10:80 -> 10.1.0.1 :80");
  }
}
