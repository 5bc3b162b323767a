package dev.portolan.backend.windows;

import static dev.portolan.backend.windows.TestService.NODE_IP;
import static dev.portolan.backend.windows.TestService.named;
import static dev.portolan.backend.windows.TestService.web;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.windows.Balancer.Member;
import dev.portolan.backend.windows.hcn.HcnLoadBalancer;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HcnNetwork.RemoteSubnet;
import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.backend.windows.hcn.PortMapping;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which load balancers services become, without HNS. */
final class BalancerPlanTest {
  private static final HnsVersion NEW = new HnsVersion(15, 4);
  private static final HnsVersion SERVER_2019 = new HnsVersion(9, 2);
  private static final HcnNetwork BRIDGE =
      new HcnNetwork(new UUID(1, 1), "cbr0", "L2Bridge", List.of());
  private static final HcnNetwork OVERLAY =
      new HcnNetwork(
          new UUID(1, 2),
          "vxlan0",
          "overlay",
          List.of(
              new RemoteSubnet(Cidr.parse("10.1.0.0/24").orElseThrow(), Ip.of("192.168.0.12"))));
  private static final NodeFacts FACTS = TestService.facts(NODE_IP);

  @Test
  void everyAddressIsALoadBalancerWithTheFlagsOfItsKind() {
    TestService service =
        web()
            .to("10.1.0.1:8080", "10.1.0.2:8080@worker-1")
            .externalIp("203.0.113.5")
            .loadBalancerIp("198.51.100.7")
            .nodePort(30080);
    assertThat(lines(plan(), service))
        .containsExactly(
            "clusterip 10.96.0.10:80 -> 10.1.0.1 10.1.0.2(pod) :8080",
            "externalip 203.0.113.5:80 -> 10.1.0.1 10.1.0.2(pod) :8080 VipExternalIP",
            "ingressip 198.51.100.7:80 -> 10.1.0.1 10.1.0.2(pod) :8080 VipExternalIP",
            "nodeport :30080 -> 10.1.0.1 10.1.0.2(pod) :8080 LocalRoutedVIP VipExternalIP");
  }

  @Test
  void policiesLocalTakeThePodsOfTheNodeAndAnswerDirectly() {
    TestService service =
        web()
            .to("10.1.0.1:8080", "10.1.0.2:8080@worker-1")
            .loadBalancerIp("198.51.100.7")
            .nodePort(30080)
            .externalLocal()
            .internalLocal();
    assertThat(lines(plan(), service))
        .containsExactly(
            "clusterip 10.96.0.10:80 -> 10.1.0.2(pod) :8080",
            "ingressip 198.51.100.7:80 -> 10.1.0.2(pod) :8080 VipExternalIP DSR",
            "nodeport :30080 -> 10.1.0.2(pod) :8080 LocalRoutedVIP VipExternalIP DSR");
    assertThat(lines(plan(SERVER_2019), service))
        .as("without DSR in HNS the policy still holds")
        .containsExactly(
            "clusterip 10.96.0.10:80 -> 10.1.0.2(pod) :8080",
            "ingressip 198.51.100.7:80 -> 10.1.0.2(pod) :8080 VipExternalIP",
            "nodeport :30080 -> 10.1.0.2(pod) :8080 LocalRoutedVIP VipExternalIP");
  }

  @Test
  void whatIsNotForwardedHasNoLoadBalancer() {
    assertThat(lines(plan(), web().nodePort(30080))).isEmpty();
    assertThat(lines(plan(), web().to("10.1.0.1:80").nodePort(30080).externalLocal()))
        .as("the pool of another node is not used in place of the empty one of this node")
        .containsExactly("clusterip 10.96.0.10:80 -> 10.1.0.1 :80");
  }

  @Test
  void theDestinationIsPreservedOnThisNodeAlone() {
    TestService service =
        web()
            .to("10.1.0.1:8080", "10.1.0.2:8080@worker-1")
            .loadBalancerIp("198.51.100.7")
            .nodePort(30080)
            .preservesDestination();
    assertThat(lines(plan(), service))
        .containsExactly(
            "clusterip 10.96.0.10:80 -> 10.1.0.1 10.1.0.2(pod) :8080",
            "ingressip 198.51.100.7:80 -> 10.1.0.2(pod) :8080"
                + " UseMux PreserveDIP VipExternalIP DSR",
            "nodeport :30080 -> 10.1.0.2(pod) :8080 LocalRoutedVIP VipExternalIP");
    assertThat(lines(plan(SERVER_2019), service))
        .as("which takes DSR")
        .contains("ingressip 198.51.100.7:80 -> 10.1.0.1 10.1.0.2(pod) :8080 VipExternalIP");
  }

  @Test
  void clusterIpsAnswerDirectlyWhereThatIsAskedFor() {
    WindowsOptions direct = options(true, Optional.empty(), false);
    assertThat(lines(new BalancerPlan(direct, NEW, BRIDGE, FACTS), web().to("10.1.0.1:80")))
        .containsExactly("clusterip 10.96.0.10:80 -> 10.1.0.1 :80 DSR");
  }

  @Test
  void aClientStaysWithItsEndpointWhereHnsCan() {
    assertThat(lines(plan(), web().to("10.1.0.1:80").affinity(10800)))
        .containsExactly("clusterip 10.96.0.10:80 -> 10.1.0.1 :80 affinity");
    Balancing hashed = Balancing.of(Balancing.Kind.MAGLEV_ADDRESS);
    assertThat(lines(plan(), web().to("10.1.0.1:80").balancing(hashed)))
        .containsExactly("clusterip 10.96.0.10:80 -> 10.1.0.1 :80 affinity");
    assertThat(lines(plan(SERVER_2019), web().to("10.1.0.1:80").affinity(10800)))
        .containsExactly("clusterip 10.96.0.10:80 -> 10.1.0.1 :80");
  }

  @Test
  void theTargetPortOfMostEndpointsIsServed() {
    TestService mixed = web().to("10.1.0.1:9090", "10.1.0.2:8080", "10.1.0.3:8080");
    assertThat(lines(plan(), mixed))
        .containsExactly("clusterip 10.96.0.10:80 -> 10.1.0.2 10.1.0.3 :8080");
    assertThat(WindowsShortfall.of(mixed.port(), NEW, Set.of(IpFamily.IPV4), FACTS))
        .hasValue(
            "a load balancer of HNS has one port for all endpoints, which is 8080 here; no"
                + " connections for 10.1.0.1:9090");
  }

  @Test
  void inAnOverlayTheSourceIsTheNodesWhereAnEndpointIsNotInIt() {
    BalancerPlan plan =
        new BalancerPlan(
            options(false, Optional.of(Ip.of("10.1.7.2")), false), NEW, OVERLAY, FACTS);
    assertThat(sources(plan, web().to("10.1.0.1:80", "10.1.7.5:80@worker-1")))
        .as("pods of this and another node")
        .containsExactly(Optional.of(Ip.of("10.1.7.2")));
    assertThat(sources(plan, web().to("10.1.0.1:80", "192.168.0.12:80")))
        .as("another node itself")
        .containsExactly(Optional.of(NODE_IP));
    assertThat(sources(plan, web().to("8.8.8.8:53")))
        .as("outside the cluster")
        .containsExactly(Optional.of(NODE_IP));
    assertThat(plan.of(web().to("10.1.0.1:80").nodePort(30080).service()))
        .extracting(Balancer::vipEndpoint)
        .containsExactlyInAnyOrder(Optional.of(Ip.of("10.96.0.10")), Optional.empty());
    assertThat(sources(plan(), web().to("10.1.0.1:80")))
        .as("HNS knows by itself on a bridge")
        .containsExactly(Optional.empty());
  }

  @Test
  void healthChecksOfAnAddressGoToTheNodeOnceForAllServicesThere() {
    BalancerPlan plan =
        new BalancerPlan(options(false, Optional.empty(), true), NEW, BRIDGE, FACTS);
    TestService web = web().to("10.1.0.1:80").loadBalancerIp("198.51.100.7");
    TestService dns = named("dns", "10.96.0.11").udp().loadBalancerIp("198.51.100.7");
    assertThat(lines(plan, dns))
        .as("also for services whose protocol is another, and without endpoints")
        .containsExactly("healthcheck 198.51.100.7:10256 ->  :10256");
    assertThat(check(plan, web)).isEqualTo(check(plan, dns));
    assertThat(lines(plan, web.healthCheckNodePort(32000)))
        .contains("healthcheck 198.51.100.7:32000 ->  :32000");
    WantedBalancers wanted = new WantedBalancers();
    wanted.add(plan.of(dns.service()));
    wanted.add(plan.of(named("web", "10.96.0.12").loadBalancerIp("198.51.100.7").service()));
    wanted.remove(plan.of(dns.service()));
    assertThat(wanted.ids()).as("the other service still needs it").hasSize(1);
  }

  @Test
  void identifiersAreTheSameInEveryProcessAndSayWhoseTheyAre() {
    UUID id = plan().of(web().to("10.1.0.1:80").service()).getFirst().id();
    assertThat(id).hasToString("706f7274-6f6c-8710-972e-5e23517401cf");
    assertThat(OwnIds.isOwn(id)).isTrue();
    assertThat(OwnIds.isOwn(UUID.randomUUID())).isFalse();
    assertThat(OwnIds.isOwn(OwnIds.endpoint(BRIDGE.id(), NODE_IP))).isTrue();
    assertThat(OwnIds.endpoint(OVERLAY.id(), NODE_IP))
        .as("an endpoint of another network is another one")
        .isNotEqualTo(OwnIds.endpoint(BRIDGE.id(), NODE_IP));
    Set<UUID> all =
        plan()
            .of(
                web()
                    .to("10.1.0.1:80")
                    .externalIp("203.0.113.5")
                    .loadBalancerIp("203.0.113.6")
                    .nodePort(80)
                    .service())
            .stream()
            .map(Balancer::id)
            .collect(Collectors.toSet());
    assertThat(all).hasSize(4);
  }

  @Test
  void twoFamiliesTakeAnHnsAndANetworkThatCan() {
    TestService six = named("six", "fd00:10:96::a").to("[fd00:10:1::1]:80");
    NodeFacts both = TestService.facts(NODE_IP, Ip.of("fd00::11"));
    assertThat(lines(new BalancerPlan(options(), NEW, BRIDGE, both), six))
        .containsExactly("clusterip [fd00:10:96::a]:80 -> fd00:10:1::1 :80 IPv6");
    assertThat(lines(new BalancerPlan(options(), SERVER_2019, BRIDGE, both), six)).isEmpty();
    assertThat(lines(new BalancerPlan(options(), NEW, OVERLAY, both), six)).isEmpty();
    NodeFacts sixFirst = TestService.facts(Ip.of("fd00::11"), NODE_IP);
    assertThat(lines(new BalancerPlan(options(), SERVER_2019, BRIDGE, sixFirst), six)).hasSize(1);
    assertThat(WindowsShortfall.of(six.port(), SERVER_2019, Set.of(IpFamily.IPV4), FACTS))
        .hasValue(
            "addresses of IPv6 are not served, because HNS 9.2 or the network cannot do two"
                + " families");
  }

  @Test
  void whatHnsCannotDoIsSaid() {
    assertThat(shortfall(web().to("10.1.0.1:80"))).isEmpty();
    assertThat(shortfall(web().affinity(10800).ranges("10.0.0.0/8")))
        .hasValueSatisfying(text -> assertThat(text).contains("source ranges are not applied"));
    NodeFacts narrow =
        new NodeFacts(
            "worker-1",
            true,
            Set.of(IpFamily.IPV4),
            List.of(NODE_IP),
            List.of(NODE_IP),
            "",
            List.of(),
            new NodePortAddresses(false, List.of(Cidr.parse("10.0.0.0/8").orElseThrow())),
            NodePortAddresses.ALL,
            FACTS.detectorV4(),
            FACTS.detectorV6(),
            List.of(),
            true,
            false);
    assertThat(
            WindowsShortfall.of(web().nodePort(30080).port(), NEW, Set.of(IpFamily.IPV4), narrow))
        .hasValue("HNS serves nodePorts on every address of the node, and not only on 10.0.0.0/8");
    assertThat(shortfall(web().affinity(60)))
        .hasValue("session affinity has no time limit in HNS, and 60 s are not applied");
    assertThat(shortfall(web().balancing(Balancing.of(Balancing.Kind.MAGLEV))))
        .hasValue("HNS cannot do balancing maglev, and spreads connections its own way");
    assertThat(
            WindowsShortfall.of(
                web().affinity(60).port(), SERVER_2019, Set.of(IpFamily.IPV4), FACTS))
        .hasValue("HNS 9.2 has no session affinity, which takes Windows Server 2022");
  }

  @Test
  void versionsHaveWhatTheyAreKnownToHave() {
    assertThat(new HnsVersion(9, 1).hasApi()).isFalse();
    assertThat(new HnsVersion(9, 3).hasDirectServerReturn()).isTrue();
    assertThat(new HnsVersion(10, 0).hasDirectServerReturn())
        .as("it was lost for a while")
        .isFalse();
    assertThat(new HnsVersion(10, 2).hasDirectServerReturn()).isTrue();
    assertThat(new HnsVersion(11, 9).hasDualStack()).isFalse();
    assertThat(new HnsVersion(15, 3).canModify()).isFalse();
    assertThat(NEW.canModify()).isTrue();
  }

  private static Optional<String> shortfall(TestService service) {
    return WindowsShortfall.of(service.port(), NEW, Set.of(IpFamily.IPV4), FACTS);
  }

  private static Balancer check(BalancerPlan plan, TestService service) {
    return plan.of(service.service()).stream()
        .filter(balancer -> balancer.kind() == BalancerKind.HEALTH_CHECK)
        .findFirst()
        .orElseThrow();
  }

  private static List<Optional<Ip>> sources(BalancerPlan plan, TestService service) {
    return plan.of(service.service()).stream().map(Balancer::sourceVip).toList();
  }

  private static BalancerPlan plan() {
    return plan(NEW);
  }

  private static BalancerPlan plan(HnsVersion version) {
    return new BalancerPlan(options(), version, BRIDGE, FACTS);
  }

  private static WindowsOptions options() {
    return options(false, Optional.empty(), false);
  }

  private static WindowsOptions options(boolean dsr, Optional<Ip> sourceVip, boolean checks) {
    return new WindowsOptions(
        "cbr0", sourceVip, dsr, true, checks, "cbr0", 10256, Path.of("ids"), Duration.ZERO);
  }

  private static List<String> lines(BalancerPlan plan, TestService service) {
    return plan.of(service.service()).stream().map(BalancerPlanTest::line).toList();
  }

  private static String line(Balancer balancer) {
    PortMapping port = balancer.port();
    StringBuilder line = new StringBuilder(balancer.kind().label() + " ");
    line.append(
            balancer.vip().map(ip -> ip.withPort(port.external())).orElse(":" + port.external()))
        .append(" -> ")
        .append(
            balancer.members().stream()
                .map(BalancerPlanTest::text)
                .collect(Collectors.joining(" ")))
        .append(" :")
        .append(port.internal());
    flag(line, port.flags(), PortMapping.LOCAL_ROUTED_VIP, "LocalRoutedVIP");
    flag(line, port.flags(), PortMapping.USE_MUX, "UseMux");
    flag(line, port.flags(), PortMapping.PRESERVE_DIP, "PreserveDIP");
    flag(line, port.flags(), PortMapping.VIP_EXTERNAL, "VipExternalIP");
    flag(line, balancer.flags(), HcnLoadBalancer.DSR, "DSR");
    flag(line, balancer.flags(), HcnLoadBalancer.IPV6, "IPv6");
    flag(line, port.distribution(), PortMapping.CLIENT, "affinity");
    return line.toString();
  }

  private static String text(Member member) {
    return member.address() + (member.local() ? "(pod)" : "");
  }

  private static void flag(StringBuilder line, int flags, int flag, String name) {
    if ((flags & flag) != 0) {
      line.append(' ').append(name);
    }
  }
}
