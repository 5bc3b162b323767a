package dev.portolan.decision.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.v1.NodeBehind;
import dev.portolan.api.v1.WaitReply;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What several brains say of the nodes that each of them feeds, put together. */
final class AwaitedNodesTest {
  private static WaitReply.Builder reply(int done, String... missing) {
    return WaitReply.newBuilder()
        .setSynced(true)
        .setSettled(true)
        .setDone(done)
        .addAllMissing(List.of(missing));
  }

  @Test
  void aNodeIsMissingWhereNoBrainHasABackendForIt() {
    AwaitedNodes nodes =
        AwaitedNodes.of(
            List.of(
                reply(1, "b", "c")
                    .setLowestRevision(4)
                    .setHighestRevision(4)
                    .setSlowest("a")
                    .setSlowestNanos(1_500_000_000)
                    .build(),
                reply(1, "a", "c").setLowestRevision(2).setHighestRevision(2).build()));
    assertThat(nodes.count()).isEqualTo("2 of 3 nodes have");
    assertThat(nodes.missing()).containsExactly("c");
    assertThat(nodes.details())
        .isEqualTo(" (revisions 2 to 4; slowest a, 1.5 s; ignored: c has no backend here)");
    assertThat(nodes.isDone(true)).isTrue();
    assertThat(nodes.isDone(false)).isFalse();
    assertThat(nodes.laggards())
        .containsExactly(
            "  c: no backend that reports is connected",
            "  (--ignore-missing passes over such nodes, --nodes names those that count)");
  }

  @Test
  void aBrainThatFeedsNobodyHasNoRevision() {
    AwaitedNodes nodes =
        AwaitedNodes.of(
            List.of(reply(1).setLowestRevision(7).setHighestRevision(7).build(), reply(0).build()));
    assertThat(nodes.count()).isEqualTo("1 of 1 node has");
    assertThat(nodes.details()).isEqualTo(" (revision 7)");
  }

  @Test
  void nothingIsDoneBeforeEveryBrainHasHeardFromItsNodes() {
    AwaitedNodes early =
        AwaitedNodes.of(List.of(reply(1).build(), reply(0).setSettled(false).build()));
    assertThat(early.isDone(false)).as("nobody is missing").isTrue();
    assertThat(early.isDone(true)).as("who is passed over may still come").isFalse();
    assertThat(AwaitedNodes.of(List.of(reply(1).setSynced(false).build())).isDone(false)).isFalse();
    assertThat(AwaitedNodes.of(List.of(reply(0).build())).isDone(true)).isFalse();
  }

  @Test
  void whoIsBehindSaysWhyInAColumn() {
    AwaitedNodes nodes =
        AwaitedNodes.of(
            List.of(
                reply(0)
                    .setBehind(4)
                    .addNodesBehind(
                        NodeBehind.newBuilder().setNode("a").setUndecided("not decided"))
                    .addNodesBehind(NodeBehind.newBuilder().setNode("long").setRevision(3))
                    .addNodesBehind(
                        NodeBehind.newBuilder()
                            .setNode("b")
                            .setRevision(3)
                            .setApplied(2)
                            .setError("no room"))
                    .build()));
    assertThat(nodes.isDone(true)).isFalse();
    assertThat(nodes.laggards())
        .containsExactly(
            "  a     not decided",
            "  long  has applied nothing yet",
            "  b     has applied revision 2 of 3: no room",
            "  and 1 more");
  }

  @Test
  void ofManyThatAreMissingSomeAreNamed() {
    String[] names = IntStream.range(10, 35).mapToObj(i -> "n" + i).toArray(String[]::new);
    assertThat(AwaitedNodes.of(List.of(reply(0, names).build())).laggards().getFirst())
        .startsWith("  n10, n11, ")
        .endsWith("n29 and 5 more: no backend that reports is connected");
  }
}
