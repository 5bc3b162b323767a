package dev.portolan.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeSettings;
import dev.portolan.core.cluster.ClusterDelta;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.fate.Explanation;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Dataplane;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExplainQuestionTest {
  private static final Dataplane ONE = () -> "one";
  private static final Dataplane OTHER = () -> "other";
  private static final ClusterImage CLUSTER =
      ClusterDelta.builder()
          .set(Node.named("n1"))
          .set(Node.named("n2"))
          .set(
              new EndpointSlice(
                  new NamespacedName("shop", "web-1"),
                  "web",
                  EndpointSlice.AddressType.IPV4,
                  List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
                  List.of(
                      new EndpointSlice.Member(
                          List.of("10.1.0.1"),
                          EndpointSlice.Conditions.READY,
                          "n2",
                          "",
                          List.of(),
                          List.of(),
                          "Pod shop/web-a")),
                  false,
                  null))
          .build()
          .applyTo(ClusterImage.EMPTY);

  private static ExplainQuestion question(String client, String mode) {
    return ExplainQuestion.parse("shop/web", client, true, mode);
  }

  private static Dataplane meant(String mode) {
    return question("", mode).mode(List.of(ONE, OTHER), it -> it);
  }

  @Test
  void theFirstModeIsMeantWhereNoneIsNamed() {
    assertThat(meant("")).isSameAs(ONE);
    assertThat(meant("other")).isSameAs(OTHER);
    assertThatThrownBy(() -> meant("third"))
        .hasMessage("the mode 'third' is not known here; ask about one or other");
  }

  @Test
  void thePodThatConnectsSaysWhichNodeIsAsked() {
    assertThat(question("pod/shop/web-a", "").nodeOfClient(() -> CLUSTER)).contains("n2");
    assertThat(question("pod", "").nodeOfClient(() -> CLUSTER)).isEmpty();
    assertThat(question("", "").nodeOfClient(() -> CLUSTER)).isEmpty();
  }

  @Test
  void eachNodeAnswers() {
    Brain brain = new Brain(warning -> {});
    brain.apply(CLUSTER);
    assertThat(
            question("", "")
                .answer(
                    ExplainQuestion.nodes(CLUSTER),
                    node -> brain.decision(node, NodeSettings.DEFAULT),
                    Dataplane.EXACT))
        .extracting(Explanation::node)
        .containsExactly("n1", "n2");
  }
}
