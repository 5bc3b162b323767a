package dev.portolan.server.encoding;

import dev.portolan.api.StreamItem;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeServices;
import dev.portolan.core.node.NodeSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whole states of services, encoded and packed once for all nodes of a zone that begin to watch
 * within a moment. Each is then sent what its own state differs from that.
 */
public final class WholeStates {
  /** How many bytes are packed together. */
  public static final int PACKED_BYTES = 128 << 10;

  private static final long FRESH = Duration.ofSeconds(5).toNanos();

  private final Encodings encodings;
  private final Map<String, Whole> byZone = new HashMap<>();

  /**
   * A whole state.
   *
   * @param messages that set all of it
   */
  public record Whole(NodeServices services, List<StreamItem> messages, long made) {
    boolean isFresh() {
      return System.nanoTime() - made < FRESH;
    }
  }

  /** States of what {@code encodings} has of each service. */
  public WholeStates(Encodings encodings) {
    this.encodings = encodings;
  }

  /** A state that nearly is, or was a moment ago, that of the services in {@code snapshot}. */
  public synchronized Whole near(NodeSnapshot snapshot) {
    String zone = snapshot.image().facts().zone();
    @Nullable Whole known = byZone.get(zone);
    if (known == null || !known.isFresh()) {
      NodeServices services = snapshot.image().services();
      known = make(new NodeServices(services.base(), services.zone(), PersistentMap.empty()));
      byZone.put(zone, known);
    }
    return known;
  }

  /** Forgets what nobody will begin with any more. */
  public synchronized void sweep() {
    byZone.values().removeIf(whole -> !whole.isFresh());
  }

  private Whole make(NodeServices services) {
    List<StreamItem> messages = new ArrayList<>();
    List<StreamItem> items = new ArrayList<>();
    int bytes = 0;
    for (NodeService service : services) {
      StreamItem item = encodings.of(service).set();
      if (bytes + item.sizeInBatch() > PACKED_BYTES && !items.isEmpty()) {
        messages.add(StreamItem.packed(StreamItem.wholeBatch(items)));
        items.clear();
        bytes = 0;
      }
      items.add(item);
      bytes += item.sizeInBatch();
    }
    messages.add(StreamItem.packed(StreamItem.wholeBatch(items)));
    return new Whole(services, List.copyOf(messages), System.nanoTime());
  }
}
