package dev.portolan.walk.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.portolan.backend.iptables.IptablesOptions;
import dev.portolan.backend.iptables.IptablesText;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.Verdict;
import dev.portolan.source.file.Manifests;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.NodeNetwork;
import dev.portolan.walk.Ruleset;
import dev.portolan.walk.ServedPlace;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.WalkStep;
import dev.portolan.walk.WrittenNetwork;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a ruleset says of itself, from the rules that we would write. */
class IptablesRulesetTest {
  private static final int MANY = 10_000;
  private static final Ip CLIENT = Ip.of("10.244.1.77");

  private static final NodeNetwork HOST =
      new WrittenNetwork().with("eth0", "192.168.10.11/24").leadingOut().network();

  private static IptablesRuleset rendered(NodeImage image) {
    Map<IpFamily, List<String>> lines = new EnumMap<>(IpFamily.class);
    for (IpFamily family : IpFamily.values()) {
      lines.put(
          family, IptablesText.render(image, family, IptablesOptions.DEFAULT).lines().toList());
    }
    return new IptablesRuleset("iptables-nft", lines, HOST, AddressSets.NONE);
  }

  private static IptablesRuleset shop() {
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open("worker-1", NodeSettings.DEFAULT);
    brain.apply(Manifests.read(Path.of("../../examples/shop")).image());
    return rendered(view.image());
  }

  private static WalkResult walk(Ruleset rules, String destination, int port) {
    return rules.walk(
        new FirstPacket(
            CLIENT, 40_000, Ip.of(destination), port, Protocol.TCP, Optional.of("cni0")));
  }

  @Test
  void itKnowsWhoseChainsTheseAre() {
    assertThat(shop().description()).isEqualTo("iptables-nft, chains of Portolan");
    assertThat(
            new IptablesRuleset(
                    "iptables-legacy",
                    Map.of(IpFamily.IPV4, List.of("*nat", ":KUBE-SERVICES - [0:0]")),
                    HOST,
                    AddressSets.NONE)
                .description())
        .isEqualTo("iptables-legacy, chains of kube-proxy");
  }

  @Test
  void itServesWhatTheRulesName() {
    assertThat(shop().served())
        .extracting(ServedPlace::toString, ServedPlace::owner)
        .contains(
            tuple("10.96.20.10:80/TCP", "shop/web:http"),
            tuple("10.96.20.8:443/TCP", "shop/payments:https"),
            tuple("203.0.113.10:443/TCP", "shop/storefront:https"),
            tuple("nodePort 30080/TCP (IPv4)", "shop/admin:http"),
            tuple("[fd00:10:96::a]:80/TCP", "shop/web:http"));
    assertThat(shop().served()).noneMatch(place -> place.port() == 32_100);
  }

  @Test
  void theStepsAreTheRulesThatDidSomething() {
    WalkResult result = walk(shop(), "10.96.20.5", 80);
    assertThat(result.steps())
        .extracting(WalkStep::effect)
        .containsExactly(
            "jump KUBE-SERVICES",
            "jump KUBE-SVC-TLEJTH2VCYBKUDCH",
            "jump KUBE-SEP-IUO3JMROKZJWJ5KJ",
            "dnat to 10.244.2.14:8080");
    assertThat(result.steps().getFirst())
        .isEqualTo(
            new WalkStep(
                "nat PREROUTING 1",
                "-m comment --comment \"kubernetes service portals\" -j KUBE-SERVICES",
                "jump KUBE-SERVICES"));
  }

  @Test
  void aFamilyWithoutRulesLeavesPacketsAlone() {
    IptablesRuleset nothing = new IptablesRuleset("iptables-nft", Map.of(), HOST, AddressSets.NONE);
    assertThat(walk(nothing, "10.96.0.1", 443).verdict()).isEqualTo(Verdict.NONE);
    assertThat(nothing.served()).isEmpty();
  }

  /** A walk through all rules for each service would not end in this test's lifetime. */
  @Test
  void allServicesOfALargeClusterAreWalked() {
    Brain brain = new Brain(warning -> {});
    NodeView view =
        brain.open("node", NodeSettings.DEFAULT.with(NodePortChoice.parse(List.of("all"))));
    ClusterDelta.Builder all = ClusterDelta.builder();
    for (int i = 0; i < MANY; i++) {
      all.set(service(i)).set(slice(i));
    }
    brain.apply(all.build());
    IptablesRuleset rules = rendered(view.image());
    assertThat(rules.served()).hasSize(2 * MANY);
    for (int i = 0; i < MANY; i++) {
      WalkResult inside = walk(rules, address(i), 80);
      assertThat(inside.ways()).hasSize(6).allMatch(way -> Math.abs(way.share() * 6 - 1) < 1e-6);
      WalkResult outside = walk(rules, "192.168.10.11", 10_000 + i);
      assertThat(outside.ways()).hasSize(6).allMatch(WalkResult.Way::masquerade);
    }
  }

  private static String address(int i) {
    return "10.96." + i / 250 + "." + (1 + i % 250);
  }

  private static Service service(int i) {
    return Service.named("large", "s" + i)
        .clusterIps(List.of(address(i)))
        .ports(List.of(new Service.Port("", Protocol.TCP, 80, 10_000 + i)))
        .build();
  }

  private static EndpointSlice slice(int i) {
    List<EndpointSlice.Member> members =
        IntStream.range(0, 6)
            .mapToObj(k ->
                new EndpointSlice.Member(
                    List.of("10." + (k + 1) + "." + i / 250 + "." + (1 + i % 250)),
                    Conditions.READY,
                    "other",
                    "",
                    List.of(),
                    List.of(),
                    ""))
            .toList();
    return new EndpointSlice(
        new NamespacedName("large", "s" + i),
        "s" + i,
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }
}
