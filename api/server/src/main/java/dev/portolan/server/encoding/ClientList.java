package dev.portolan.server.encoding;

import dev.portolan.api.v1.NodeStatus;
import dev.portolan.api.v1.NodesReply;
import java.util.ArrayList;
import java.util.List;

/**
 * The clients in a reply that any client takes: of more than fit, only the beginning of what they
 * report, and those that are gone are left out first.
 */
public final class ClientList {
  /** What gRPC takes unless it is told otherwise, less the number of those that are left out. */
  private static final long MOST_BYTES = (4 << 20) - 16;

  private static final int BRIEF_ERROR = 100;

  /** The bytes before an element of a list. */
  private static final long HEAD = 4;

  private ClientList() {}

  /** Completes {@code reply}, which has all but the clients. */
  public static NodesReply addTo(NodesReply.Builder reply, List<NodeStatus> clients) {
    long room = MOST_BYTES - reply.build().getSerializedSize();
    List<NodeStatus> all =
        bytes(clients) > room ? clients.stream().map(ClientList::brief).toList() : clients;
    List<NodeStatus> fitting = without(without(all, false, room), true, room);
    return reply.addAllNodes(fitting).setNodesLeftOut(all.size() - fitting.size()).build();
  }

  /** As many as there is room for, without others than those that are connected, or are not. */
  private static List<NodeStatus> without(List<NodeStatus> all, boolean connected, long room) {
    long over = bytes(all) - room;
    List<NodeStatus> rest = new ArrayList<>();
    for (NodeStatus status : all) {
      if (over > 0 && status.getConnected() == connected) {
        over -= bytes(status);
      } else {
        rest.add(status);
      }
    }
    return rest;
  }

  private static long bytes(List<NodeStatus> statuses) {
    return statuses.stream().mapToLong(ClientList::bytes).sum();
  }

  private static long bytes(NodeStatus status) {
    return HEAD + status.getSerializedSize();
  }

  private static NodeStatus brief(NodeStatus status) {
    String error = status.getError();
    return error.length() <= BRIEF_ERROR
        ? status
        : status.toBuilder().setError(error.substring(0, BRIEF_ERROR) + "…").build();
  }
}
