package dev.portolan.backend.windows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.windows.Balancer.Member;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.brain.NodeDecision;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.explain.Client;
import dev.portolan.explain.Explainer;
import dev.portolan.explain.Target;
import dev.portolan.packets.Packet;
import dev.portolan.packets.PacketTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An explanation for this mode says of every packet of the tables where load balancers send it. */
final class ExplainedBalancersTest {
  private static final Map<Protocol, Integer> NUMBERS =
      Map.of(Protocol.TCP, 6, Protocol.UDP, 17, Protocol.SCTP, 132);

  @ParameterizedTest
  @MethodSource("dev.portolan.packets.PacketTable#all")
  void theExplainerAgrees(PacketTable table) {
    NodeDecision decision = table.decision();
    Explainer explainer = new Explainer(decision, WindowsOptions.of("cbr0").dataplane());
    NodeImage image = decision.image();
    BalancerPlan plan =
        new BalancerPlan(
            WindowsOptions.of("cbr0"),
            new HnsVersion(15, 4),
            new HcnNetwork(new UUID(1, 1), "cbr0", "L2Bridge", List.of()),
            image.facts());
    List<Balancer> balancers = new ArrayList<>();
    for (NodeService service : image.services()) {
      balancers.addAll(plan.of(service));
    }
    for (Packet packet : table.packets()) {
      Explanation explanation =
          explainer
              .explain(
                  new Target.OfAddress(
                      packet.address(), packet.port(), Optional.of(packet.protocol())),
                  Optional.of(new Client.At(packet.source())))
              .getFirst();
      Set<Ip> explained =
          explanation.endpoints().stream()
              .map(share -> share.endpoint().address())
              .collect(Collectors.toSet());
      assertThat(explained)
          .as("%s: %s", packet, explanation.steps())
          .isEqualTo(served(packet, balancers, image));
    }
  }

  /** Where a packet goes: its address comes before those of the node. */
  private static Set<Ip> served(Packet packet, List<Balancer> balancers, NodeImage image) {
    Optional<Balancer> own =
        find(packet, balancers, balancer -> balancer.vip().equals(Optional.of(packet.address())));
    boolean ofNode = image.facts().addresses().contains(packet.address());
    return own.or(() ->
            ofNode
                ? find(
                    packet,
                    balancers,
                    balancer ->
                        balancer.vip().isEmpty() && balancer.family() == packet.address().family())
                : Optional.empty())
        .map(balancer ->
            balancer.members().stream().map(Member::address).collect(Collectors.toSet()))
        .orElse(Set.of());
  }

  private static Optional<Balancer> find(
      Packet packet, List<Balancer> balancers, java.util.function.Predicate<Balancer> fits) {
    return balancers.stream()
        .filter(fits)
        .filter(balancer ->
            balancer.port().external() == packet.port()
                && balancer.port().protocol() == NUMBERS.get(packet.protocol()))
        .findFirst();
  }
}
