package dev.portolan.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.ServicePort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShortfallsTest {
  /** Hashes no client. */
  private static final class Plain implements Backend {
    @Override
    public void sync(NodeChange change) {}

    @Override
    public void cleanup() {}

    @Override
    public Optional<String> shortfall(ServicePort port) {
      return port.balancing().kind().hashes()
          ? Optional.of("no " + port.balancing().kind())
          : Optional.empty();
    }
  }

  private final Brain brain = new Brain(warning -> {});
  private final NodeView view = brain.open("n1", NodeSettings.DEFAULT);
  private final Shortfalls shortfalls = new Shortfalls(new Plain());
  private final List<String> said = new ArrayList<>();
  private NodeImage applied = NodeImage.unsynced("n1");

  private static Service service(String balancing, int port) {
    return Service.named("default", "web")
        .clusterIps(List.of("10.96.0.10"))
        .ports(
            List.of(
                new Service.Port("http", Protocol.TCP, port, 0),
                new Service.Port("dns", Protocol.UDP, port, 0)))
        .metadata(
            ServiceMetadata.of(Map.of(), Map.of(ServiceAnnotation.BALANCING.key(), balancing)))
        .build();
  }

  private void change(ClusterDelta delta) {
    brain.apply(delta);
    NodeImage image = view.image();
    shortfalls.find(
        NodeChange.between(applied, image), (name, what) -> said.add(name + ": " + what));
    applied = image;
  }

  private void set(String balancing, int port) {
    change(ClusterDelta.builder().set(service(balancing, port)).build());
  }

  @Test
  void eachServiceIsNamedOnceUntilItChanges() {
    set("maglev", 80);
    set("maglev", 81);
    assertThat(said).containsExactly("default/web: no maglev");
    set("maglev-address", 81);
    assertThat(said).containsExactly("default/web: no maglev", "default/web: no maglev-address");
    said.clear();
    set("random", 81);
    assertThat(said).isEmpty();
    set("maglev", 81);
    change(ClusterDelta.builder().removeService(service("maglev", 81).name()).build());
    set("maglev", 81);
    assertThat(said).containsExactly("default/web: no maglev", "default/web: no maglev");
  }
}
