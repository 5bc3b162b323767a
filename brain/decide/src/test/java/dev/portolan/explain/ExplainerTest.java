package dev.portolan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ExplainerTest {
  private static final Target WEB = Target.parse("shop/web");
  private static final int CHANGES = 300;

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("n1", NodeSettings.DEFAULT);

  private static Service web() {
    return Service.named("shop", "web")
        .clusterIps(List.of("10.96.0.20"))
        .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
        .build();
  }

  /** Endpoints that are hinted for zones, so that lists are worked out when first asked for. */
  private static EndpointSlice slice(int endpoints) {
    List<EndpointSlice.Member> members = new ArrayList<>();
    for (int i = 0; i < endpoints; i++) {
      members.add(
          new EndpointSlice.Member(
              List.of("10.1.0." + (i + 1)),
              EndpointSlice.Conditions.READY,
              "n" + i,
              "",
              List.of("z" + i % 3),
              List.of(),
              ""));
    }
    return new EndpointSlice(
        new NamespacedName("shop", "web-1"),
        "web",
        EndpointSlice.AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        members,
        false,
        null);
  }

  private static List<Explanation> explain(NodeDecision decision) {
    return new Explainer(decision).explain(WEB, Optional.empty());
  }

  @Test
  void anOldDecisionIsExplainedWhileNewOnesAreMade() throws Exception {
    brain.apply(ClusterDelta.builder().set(web()).set(slice(6)).build());
    NodeDecision held = view.decision();
    List<Explanation> first = explain(held);
    assertThat(first.getFirst().endpoints()).hasSize(6);
    AtomicBoolean done = new AtomicBoolean();
    Thread changes =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < CHANGES; i++) {
                brain.apply(
                    i % 10 == 0
                        ? ClusterDelta.builder().removeService(web().name()).build()
                        : ClusterDelta.builder().set(web()).set(slice(1 + i % 9)).build());
              }
              done.set(true);
            });
    int explained = 0;
    while (!done.get() || explained < CHANGES) {
      assertThat(explain(held)).isEqualTo(first);
      NodeDecision newest = view.decision();
      assertThat(explain(newest)).as("each explanation is of one moment").hasSize(1);
      explained++;
    }
    changes.join();
    assertThat(view.image().revision()).isGreaterThan(held.image().revision());
    assertThat(explain(held)).isEqualTo(first);
  }
}
