package dev.portolan.backend.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeImage;
import dev.portolan.lab.Actor;
import dev.portolan.packets.Small;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of a service that asks for another balancing. */
class WeightsTest {
  @Test
  void endpointsAreDrawnByWeightAndClientsAreNotHashed() {
    Brain brain = new Brain(warning -> {});
    brain.apply(
        ClusterDelta.builder()
            .set(
                Service.named("traffic", "test")
                    .clusterIps(List.of(Small.ADDRESS.toString()))
                    .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
                    .metadata(
                        ServiceMetadata.of(
                            Map.of(),
                            Map.of(
                                ServiceAnnotation.BALANCING.key(),
                                "maglev",
                                ServiceAnnotation.WEIGHTS.key(),
                                "node:" + Actor.NODE_NAME + "=3")))
                    .build())
            .set(Small.slice(4))
            .build());
    NodeImage image = brain.open(Actor.NODE_NAME, NodeSettings.DEFAULT).image();

    // Three on this node, of weight 3, and one elsewhere: 3 of 10, 3 of 7, 3 of 4, and the rest.
    assertThat(
            IptablesText.render(image, IptablesOptions.DEFAULT)
                .lines()
                .filter(line -> line.contains("--probability"))
                .map(line -> line.replaceAll(".*--probability (\\S+) .*", "$1")))
        .containsExactly("0.3000000000", "0.4285714286", "0.7500000000");
    assertThat(
            IptablesOptions.DEFAULT
                .dataplane()
                .shortfall(image.services().iterator().next().ports().getFirst()))
        .contains("mode iptables cannot do balancing maglev, and draws endpoints at random");
  }
}
