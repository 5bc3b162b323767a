package dev.portolan.server;

import dev.portolan.api.ClusterItems;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.StreamItem;
import dev.portolan.api.globalv1.GlobalWatchReq;
import dev.portolan.api.localv1.Set;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.server.encoding.ClusterChanges;
import dev.portolan.server.encoding.ClusterState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Streams the whole cluster to one client: one set of changes per request. */
final class ClusterStream {
  private static final java.util.Set<Set> KPNG =
      java.util.Set.of(Set.GlobalServiceInfos, Set.GlobalEndpointInfos, Set.GlobalNodeInfos);
  private static final java.util.Set<Set> KNOWN =
      java.util.Set.of(
          Set.GlobalServiceInfos,
          Set.GlobalEndpointInfos,
          Set.GlobalNodeInfos,
          Set.GlobalSlices,
          Set.GlobalServiceCIDRs);

  private final Conversation<GlobalWatchReq, StreamItem> conversation;
  private final ClientProgress client;
  private final Served served;
  private final Feed<ClusterImage> feed;
  private @Nullable ClusterState held;

  /** Named by one request, and kept for those that follow. */
  private @Nullable Sets sets;

  private long revision;

  ClusterStream(
      Conversation<GlobalWatchReq, StreamItem> conversation, ClientProgress client, Served served) {
    this.conversation = conversation;
    this.client = client;
    this.served = served;
    this.feed = served.wholeCluster();
  }

  /** Serves until the client asks no more. */
  void run() {
    client.watches("", "", feed);
    served.welcome(client);
    Optional<GlobalWatchReq> request = conversation.read();
    request.ifPresent(it -> conversation.beat(it.getHeartbeatMillis(), served.heartbeat()::item));
    while (request.isPresent()) {
      answer(request.get());
      request = conversation.read();
    }
  }

  private void answer(GlobalWatchReq request) {
    conversation.readOn();
    if (sets == null || request.getSetsCount() > 0) {
      sets = Sets.of(request.getSetsList(), KPNG, KNOWN, "globalv1.Sets/Watch");
    }
    Sets wanted = sets;
    ClusterState before = held == null ? begin(wanted, request) : held;
    boolean due = held == null || !before.sets().equals(wanted.sets());
    boolean wrote = false;
    while (!wrote) {
      Feed.State<ClusterImage> newest = conversation.awaitAfter(feed, due ? 0 : revision);
      ClusterState after = seen(wanted, newest.value());
      wrote = ClusterChanges.write(served.encodings(), before, after, conversation::write) || due;
      if (wrote) {
        conversation.write(wanted.named() ? sync(newest.revision()) : StreamItem.SYNC);
      }
      client.sent(newest.revision());
      revision = newest.revision();
      held = after;
      before = after;
    }
  }

  private ClusterState begin(Sets wanted, GlobalWatchReq request) {
    Feed.State<ClusterImage> kept = request.hasResume() ? feed.find(request.getResume()) : null;
    if (kept != null) {
      return seen(wanted, kept.value());
    }
    conversation.write(StreamItem.RESET);
    return ClusterState.NOTHING;
  }

  /**
   * What a client may see: a client without labels does not see services that labels hide from
   * proxies.
   */
  private ClusterState seen(Sets wanted, ClusterImage image) {
    PersistentMap<NamespacedName, Service> services = image.services();
    if (!wanted.named()) {
      for (Map.Entry<NamespacedName, Service> entry : image.services()) {
        if (!ClusterItems.isFor(entry.getValue(), served.proxyName())) {
          services = services.without(entry.getKey());
        }
      }
    }
    return new ClusterState(
        wanted.sets(),
        new ClusterImage(services, image.slices(), image.nodes(), image.serviceCidrs()));
  }

  private StreamItem sync(long to) {
    return StreamItem.sync(NodeMessages.change(feed.instance(), to, List.of()));
  }
}
