package dev.portolan.backend.windows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.backend.windows.hcn.HcnLoadBalancer.Frontend;
import dev.portolan.backend.windows.hcn.HcnNetwork;
import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.conformance.clusters.RandomCluster;
import dev.portolan.core.net.Ip;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.ServiceChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kept in step change by change, or made from the image: the load balancers are the same. */
final class WantedBalancersTest {
  private static final int EVENTS = 400;
  private static final WindowsOptions OPTIONS =
      new WindowsOptions(
          "cbr0",
          Optional.of(Ip.of("10.244.1.2")),
          true,
          true,
          true,
          "cbr0",
          10256,
          Path.of("ids"),
          Duration.ZERO);

  @ParameterizedTest
  @ValueSource(strings = {"L2Bridge", "L2Tunnel", "Overlay"})
  void changeByChangeTheyAreThoseOfTheImage(String type) {
    HcnNetwork network = new HcnNetwork(new UUID(1, 1), "cbr0", type, List.of());
    Brain brain = new Brain(warning -> {});
    NodeView view = brain.open(RandomCluster.NODES.getFirst(), NodeSettings.DEFAULT);
    WantedBalancers kept = new WantedBalancers();
    NodeImage before = view.newest().image();
    for (int event = 1; event <= EVENTS; event++) {
      brain.apply(RandomCluster.event(event));
      NodeImage after = view.newest().image();
      NodeChange change = NodeChange.between(before, after);
      BalancerPlan plan = new BalancerPlan(OPTIONS, new HnsVersion(15, 4), network, after.facts());
      WantedBalancers fresh = new WantedBalancers();
      after.services().forEach(service -> fresh.add(plan.of(service)));
      if (change.factsChanged()) {
        kept = new WantedBalancers();
        for (NodeService service : after.services()) {
          kept.add(plan.of(service));
        }
      } else {
        for (ServiceChange service : change.services()) {
          kept.remove(plan.of(service.before()));
          kept.add(plan.of(service.after()));
        }
      }
      compare(kept, fresh);
      before = after;
    }
    assertThat(kept.ids()).as("the cluster has services").isNotEmpty();
  }

  private static void compare(WantedBalancers kept, WantedBalancers fresh) {
    assertThat(kept.ids()).isEqualTo(fresh.ids());
    Set<Frontend> frontends = new HashSet<>();
    for (UUID id : fresh.ids()) {
      Balancer balancer = fresh.find(id);
      assertThat(kept.find(id)).isEqualTo(balancer);
      assertThat(frontends.add(balancer.with(Set.of()).frontend()))
          .as("HNS would refuse a second load balancer at the address of %s", balancer)
          .isTrue();
      WantedBalancers.elsewhere(balancer)
          .forEach(address -> assertThat(kept.uses(address)).isTrue());
    }
    kept.used().forEach(address -> assertThat(fresh.uses(address)).as("%s", address).isTrue());
  }
}
