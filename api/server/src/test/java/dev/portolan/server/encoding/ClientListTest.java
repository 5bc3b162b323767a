package dev.portolan.server.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.v1.NodeStatus;
import dev.portolan.api.v1.NodesReply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever clients there are, a client of gRPC can read the list of them. */
class ClientListTest {
  private static final int CLIENTS = 10_000;
  private static final int LIMIT = 4 << 20;

  /** Clients of which every second one is gone. */
  private static NodesReply list(String name, String error) {
    List<NodeStatus> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(
          NodeStatus.newBuilder()
              .setNode(name + i)
              .setClient(name)
              .setPeer("192.0.2.1:" + i)
              .setConnected(i % 2 == 0)
              .setError(error)
              .build());
    }
    return ClientList.addTo(NodesReply.newBuilder().addClusterNodes("n"), clients);
  }

  @Test
  void whatFitsIsWhole() {
    NodesReply reply = list("node-", "no");
    assertThat(reply.getNodesList()).hasSize(CLIENTS).allMatch(it -> it.getError().equals("no"));
    assertThat(reply.getNodesLeftOut()).isZero();
  }

  @Test
  void longErrorsAreCutBeforeAClientIsLeftOut() {
    NodesReply reply = list("node-", "x".repeat(1024));
    assertThat(reply.getSerializedSize()).isLessThanOrEqualTo(LIMIT);
    assertThat(reply.getNodesList())
        .hasSize(CLIENTS)
        .allMatch(it -> it.getError().equals("x".repeat(100) + "…"));
  }

  @Test
  void whoIsGoneIsLeftOutFirst() {
    NodesReply reply = list("n".repeat(253), "€".repeat(1024));
    assertThat(reply.getSerializedSize()).isBetween(LIMIT - CLIENTS, LIMIT);
    assertThat(reply.getNodesList()).allMatch(NodeStatus::getConnected);
    assertThat(reply.getNodesLeftOut()).isEqualTo(CLIENTS - reply.getNodesCount());
    assertThat(reply.getClusterNodesList()).containsExactly("n");
  }
}
