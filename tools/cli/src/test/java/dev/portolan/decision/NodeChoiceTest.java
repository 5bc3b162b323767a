package dev.portolan.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.terminal.CommandFailure;
import dev.portolan.terminal.Remarks;
import dev.portolan.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which node is looked at, of clusters with none, one and many. */
final class NodeChoiceTest {
  private final StringWriter said = new StringWriter();
  private final Remarks remarks =
      new Remarks(Terminal.plain(new PrintWriter(said), new PrintWriter(said, true)));

  private NodeChoice choice(String named, String recorded) {
    Optional<String> name = Optional.of(named).filter(text -> !text.isEmpty());
    return new NodeChoice("shop", name, recorded, remarks);
  }

  private static ClusterImage cluster(String... names) {
    ClusterImage cluster = ClusterImage.EMPTY;
    for (String name : names) {
      cluster = cluster.with(Node.named(name));
    }
    return cluster;
  }

  @Test
  void theOnlyNodeNeedsNoName() {
    assertThat(choice("", "").in(cluster("only"))).isEqualTo("only");
    assertThatThrownBy(() -> choice("", "").in(cluster()))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("shop has no Node; specify one with --node");
    assertThatThrownBy(() -> choice("", "").in(cluster("a", "b")))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("shop has several Nodes; choose one with --node: a, b");
  }

  @Test
  void ofManyNodesSomeAreNamed() {
    String[] names = new String[12];
    for (int i = 0; i < names.length; i++) {
      names[i] = "n" + (char) ('a' + i);
    }
    assertThatThrownBy(() -> choice("other", "").in(cluster(names)))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("no Node 'other' in shop; it has: na, nb, ")
        .hasMessageContaining("nj and 2 more [PORT-103]");
  }

  @Test
  void whereThereAreNoNodesANameIsEnough() {
    assertThat(choice("any", "").in(cluster())).isEqualTo("any");
    assertThat(said).hasToString("warning: shop has no Node, so only the name is known of 'any'\n");
  }

  @Test
  void theRecordingOfADaemonHasNoOtherNode() {
    assertThat(choice("worker-2", "worker-1").in(cluster("worker-1"))).isEqualTo("worker-2");
    assertThat(said)
        .hasToString(
            "warning: shop was recorded by the daemon of worker-1, and has no other Node, so only"
                + " the name is known of 'worker-2'\n");
    assertThatThrownBy(() -> choice("worker-2", "").in(cluster("worker-1")))
        .isInstanceOf(CommandFailure.class);
  }
}
