package dev.portolan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Enough endpoints that comparing each with each other would not end within the timeout; looking at
 * each once takes a small part of it.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LargeServiceTest {
  private static final int ENDPOINTS = 300_000;
  private static final Conditions LEAVING = new Conditions(false, true, true);

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("n1", NodeSettings.DEFAULT);

  private Explanation explain(TrafficPolicy policy, Conditions conditions) {
    Service service =
        Service.named("shop", "web")
            .clusterIps(List.of("10.96.0.20"))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
            .internalTrafficPolicy(policy)
            .build();
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (int i = 0; i < ENDPOINTS; i++) {
      members.add(
          new EndpointSlice.Member(
              List.of(Ip.v4(0x0a000000 + i).toString()),
              conditions,
              "n1",
              "",
              List.of(),
              List.of(),
              ""));
    }
    EndpointSlice slice =
        new EndpointSlice(
            new NamespacedName("shop", "web-1"),
            "web",
            EndpointSlice.AddressType.IPV4,
            List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
            members,
            false,
            null);
    brain.apply(ClusterDelta.builder().set(service).set(slice).build());
    return new Explainer(view.decision())
        .explain(Target.parse("shop/web"), Optional.empty())
        .getFirst();
  }

  @Test
  void isExplainedUnderThePolicyCluster() {
    assertThat(explain(TrafficPolicy.CLUSTER, Conditions.READY).endpoints()).hasSize(ENDPOINTS);
  }

  @Test
  void isExplainedUnderThePolicyLocalWithAllOfItOnOneNode() {
    assertThat(explain(TrafficPolicy.LOCAL, LEAVING).endpoints()).hasSize(ENDPOINTS);
  }
}
