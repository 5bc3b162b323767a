package dev.portolan.server.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.node.NodeService;
import dev.portolan.server.World;
import dev.portolan.testbase.Await;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EncodingsTest {
  private final Brain brain = new Brain(warning -> {});
  private final Encodings encodings = new Encodings();

  private void encode(NodeView view) {
    for (NodeService service : view.image().services()) {
      assertThat(encodings.of(service).set()).isNotNull();
      assertThat(encodings.of(service).endpoints()).hasSize(1);
    }
  }

  @Test
  void nodesThatSeeTheSameShareWhatIsEncoded() {
    brain.apply(
        ClusterDelta.builder()
            .set(World.service("web", 1))
            .set(World.slice("web", "10.1.0.1"))
            .build());
    NodeService one = service(brain.open("n1", NodeSettings.DEFAULT));
    NodeService other = service(brain.open("n2", NodeSettings.DEFAULT));
    assertThat(encodings.of(one).set()).isSameAs(encodings.of(other).set());
  }

  private static NodeService service(NodeView view) {
    return Objects.requireNonNull(view.image().service(World.name("web")));
  }

  @Test
  void nothingIsKeptOfServicesThatAreGone() throws Exception {
    NodeView view = brain.open("n1", NodeSettings.DEFAULT);
    for (int i = 0; i < 100; i++) {
      brain.apply(
          ClusterDelta.builder()
              .set(World.service("s" + i, i))
              .set(World.slice("s" + i, "10.1.0." + i))
              .build());
      encode(view);
    }
    assertThat(encodings.size()).isEqualTo(100);
    ClusterDelta.Builder removal = ClusterDelta.builder();
    for (int i = 1; i < 100; i++) {
      removal.removeService(World.name("s" + i));
    }
    brain.apply(removal.build());
    Await.until(
        "one service, one encoding",
        () -> {
          System.gc();
          return encodings.size() == 1;
        });
    encode(view);
    assertThat(encodings.size()).isEqualTo(1);
  }
}
