package dev.portolan.backend.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.ipvs.ServerKey.EndpointKey;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.netlink.ipvs.IpvsOrder;
import dev.portolan.netlink.ipvs.RealServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which orders lead from one state to another, without a kernel. */
final class ServerPlanTest {
  private static final int NOW = 1_000_000;
  private static final int LIMIT = 900;
  private static final EndpointKey FIRST = new EndpointKey(Ip.of("10.1.0.1"), 8080);

  private final Drains drains = new Drains();

  @Test
  void aNewServiceIsAVirtualServerWithItsRealServers() {
    assertThat(orders(null, OneService.of(Protocol.TCP, "10.1.0.1:8080", "10.1.0.2:8080")))
        .containsExactly(
            "add tcp 10.96.0.10:80 rr",
            "add 10.1.0.1:8080 of tcp 10.96.0.10:80 weight 1 until 0",
            "add 10.1.0.2:8080 of tcp 10.96.0.10:80 weight 1 until 0");
  }

  @Test
  void oneEndpointIsOneOrderAndNoneIsNone() {
    OneService two = OneService.of(Protocol.TCP, "10.1.0.1:8080", "10.1.0.2:8080");
    OneService three =
        OneService.of(Protocol.TCP, "10.1.0.1:8080", "10.1.0.2:8080", "10.1.0.3:8080");
    assertThat(orders(two, three))
        .containsExactly("add 10.1.0.3:8080 of tcp 10.96.0.10:80 weight 1 until 0");
    assertThat(orders(two, two)).isEmpty();
  }

  @Test
  void anEndpointOfTcpDrainsWithoutALimitWhileItServesAndWithOneAfterwards() {
    OneService two = OneService.of(Protocol.TCP, "10.1.0.1:8080", "10.1.0.2:8080");
    OneService one = OneService.of(Protocol.TCP, "10.1.0.2:8080");
    OneService ending = one.serving("10.1.0.1:8080", "10.1.0.2:8080");

    assertThat(orders(two, ending))
        .containsExactly("change 10.1.0.1:8080 of tcp 10.96.0.10:80 weight 0 until 0");
    assertThat(orders(ending, one))
        .containsExactly("change 10.1.0.1:8080 of tcp 10.96.0.10:80 weight 0 until 1000900");
    assertThat(drains.of(key(Protocol.TCP))).containsExactly(Map.entry(FIRST, NOW + LIMIT));
    assertThat(orders(one, one)).as("it is draining already").isEmpty();
    assertThat(orders(one, two))
        .as("it comes back")
        .containsExactly("change 10.1.0.1:8080 of tcp 10.96.0.10:80 weight 1 until 0");
    assertThat(drains.keys()).isEmpty();
  }

  @Test
  void aRestartKeepsTheDeadlineAndEndsWhatIsIdleOrOver() {
    OneService one = OneService.of(Protocol.TCP, "10.1.0.2:8080");
    Map<EndpointKey, ServerPlan.Known> there = new HashMap<>();
    there.put(new EndpointKey(Ip.of("10.1.0.2"), 8080), ServerPlan.Known.inUse(1));
    String delete = "delete 10.1.0.1:8080 of tcp 10.96.0.10:80";

    there.put(FIRST, new ServerPlan.Known(0, NOW + 5, true));
    assertThat(orders(one, there)).isEmpty();
    there.put(FIRST, new ServerPlan.Known(0, NOW, true));
    assertThat(orders(one, there)).containsExactly(delete);
    there.put(FIRST, new ServerPlan.Known(0, NOW + 5, false));
    assertThat(orders(one, there)).containsExactly(delete);
    there.put(FIRST, new ServerPlan.Known(0, 0, true));
    assertThat(orders(one, there))
        .as("one that kube-proxy left draining gets a limit")
        .containsExactly("change 10.1.0.1:8080 of tcp 10.96.0.10:80 weight 0 until 1000900");
  }

  @Test
  void datagramsDoNotDrain() {
    for (Protocol protocol : List.of(Protocol.UDP, Protocol.SCTP)) {
      assertThat(
              orders(
                  OneService.of(protocol, "10.1.0.1:8080", "10.1.0.2:8080"),
                  OneService.of(protocol, "10.1.0.2:8080")))
          .containsExactly("delete 10.1.0.1:8080 of " + protocol.lower() + " 10.96.0.10:80");
    }
  }

  @Test
  void settingsChangeInPlaceAndAServiceLeavesAsAWhole() {
    OneService plain = OneService.of(Protocol.TCP, "10.1.0.1:8080");
    assertThat(orders(plain, plain.affinity(600)))
        .containsExactly("change tcp 10.96.0.10:80 rr persistent 600");
    assertThat(orders(plain.affinity(600), plain.affinity(601)))
        .containsExactly("change tcp 10.96.0.10:80 rr persistent 601");
    ServerPlan plan = new ServerPlan(drains, NOW);
    plan.remove(key(Protocol.TCP));
    assertThat(plan.orders().stream().map(IpvsOrder::toString))
        .containsExactly("delete tcp 10.96.0.10:80");
  }

  /** The orders of a change that a sync writes. */
  private List<String> orders(@Nullable OneService before, OneService after) {
    VirtualServer wanted = server(after);
    ServerPlan plan = new ServerPlan(drains, NOW);
    if (before == null) {
      plan.set(wanted, null, Map.of());
      return texts(plan);
    }
    VirtualServer old = server(before);
    Map<EndpointKey, ServerPlan.Known> there = new HashMap<>();
    old.pool()
        .forEach(endpoint ->
            there.put(
                new EndpointKey(endpoint.address(), endpoint.port()), ServerPlan.Known.inUse(1)));
    drains
        .of(old.key())
        .forEach((endpoint, deadline) -> there.put(endpoint, ServerPlan.Known.draining(deadline)));
    plan.set(wanted, old.settings(), there);
    return texts(plan);
  }

  /** The orders of a comparison with a kernel that has these real servers. */
  private List<String> orders(OneService after, Map<EndpointKey, ServerPlan.Known> there) {
    ServerPlan plan = new ServerPlan(new Drains(), NOW);
    VirtualServer wanted = server(after);
    plan.set(wanted, wanted.settings(), there);
    return texts(plan);
  }

  private static List<String> texts(ServerPlan plan) {
    return plan.orders().stream()
        .map(order -> {
          RealServer real = order.server();
          return real == null || order.action() == IpvsOrder.Action.DELETE
              ? order.toString()
              : order + " weight " + real.weight() + " until " + real.upperThreshold();
        })
        .toList();
  }

  private static VirtualServer server(OneService service) {
    return IpvsState.of(service.image(1), IpvsOptions.DEFAULT)
        .servers()
        .get(key(service.protocol()));
  }

  private static ServerKey key(Protocol protocol) {
    return new ServerKey(Ip.of("10.96.0.10"), protocol, 80);
  }
}
