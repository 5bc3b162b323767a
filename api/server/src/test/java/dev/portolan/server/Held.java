package dev.portolan.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.localv1.NodeFacts;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a client has when it simply does what the items say. */
final class Held {
  private final Map<String, ByteString> values = new TreeMap<>();

  void take(List<OpItem> changeSet) {
    for (OpItem item : changeSet) {
      switch (item.getOpCase()) {
        case RESET -> values.clear();
        case SET -> values.put(key(item.getSet().getRef()), item.getSet().getBytes());
        case DELETE ->
            assertThat(values.remove(key(item.getDelete()))).as("was there before").isNotNull();
        case SYNC, OP_NOT_SET -> {}
      }
    }
  }

  private static String key(Ref ref) {
    return ref.getSet() + " " + ref.getPath();
  }

  /** All values by set and path. */
  Map<String, ByteString> values() {
    return values;
  }

  /** The image that services and facts make. */
  NodeImage image() throws Exception {
    PersistentMap<NamespacedName, NodeService> services = PersistentMap.empty();
    dev.portolan.core.node.NodeFacts facts = dev.portolan.core.node.NodeFacts.unknown("");
    for (Map.Entry<String, ByteString> entry : values.entrySet()) {
      if (entry.getKey().startsWith(Set.ServicesSet + " ")) {
        NodeService service =
            NodeMessages.service(Service.parseFrom(entry.getValue()), List.of(), "");
        services = services.with(service.name(), service);
      } else if (entry.getKey().startsWith(Set.NodeFactsSet + " ")) {
        facts = NodeMessages.facts(NodeFacts.parseFrom(entry.getValue()));
      }
    }
    return NodeImage.of(1, facts, services);
  }
}
