package dev.portolan.timemachine.replay;

import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeTree;
import dev.portolan.terminal.query.ResultTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The history of a service for programs. */
final class HistoryTree {
  private HistoryTree() {}

  /** One change, with its name. */
  public static ResultTree.Item item(HistoryEntry entry) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("time", entry.time().toString());
    tree.put("revision", entry.revision());
    tree.put("first", entry.first());
    tree.put("restarted", entry.restarted());
    tree.put("nodesLookedAt", entry.nodes());
    tree.put("groups", entry.groups().stream().map(HistoryTree::group).toList());
    tree.put("causes", ReplayTree.causes(entry.causes()));
    return new ResultTree.Item("revision/" + entry.revision(), tree);
  }

  private static Map<String, Object> group(HistoryEntry.Group group) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("nodes", group.nodes());
    tree.put("before", services(group.change().before()));
    tree.put("after", services(group.change().after()));
    return tree;
  }

  /** A list with the service, or without any: nothing is null. */
  private static List<Map<String, Object>> services(@Nullable NodeService service) {
    return service == null ? List.of() : List.of(NodeTree.service(service));
  }
}
