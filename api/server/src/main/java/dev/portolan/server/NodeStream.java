package dev.portolan.server;

import dev.portolan.api.NodeMessages;
import dev.portolan.api.StreamItem;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.brain.ClusterDecision;
import dev.portolan.brain.NodeDecision;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.core.node.Trigger;
import dev.portolan.server.access.Caller;
import dev.portolan.server.encoding.NodeChanges;
import dev.portolan.server.encoding.NodeState;
import dev.portolan.server.encoding.SharedChanges;
import dev.portolan.server.encoding.WholeStates;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Streams the state of a node to one client: one set of changes per request.
 *
 * <p>The client gets the difference between what it has and the newest image, however many lie
 * between; what it has is one reference here.
 */
final class NodeStream implements Pusher.Work {
  private static final java.util.Set<Set> KPNG =
      java.util.Set.of(Set.ServicesSet, Set.EndpointsSet);
  private static final java.util.Set<Set> KNOWN =
      java.util.Set.of(Set.ServicesSet, Set.EndpointsSet, Set.NodeFactsSet, Set.ServiceMetadataSet);

  private final Conversation<WatchReq, StreamItem> conversation;
  private final ClientProgress client;
  private final Caller caller;
  private final Served served;
  private final Batches out;
  private Views.@Nullable View view;
  private @Nullable NodeState held;
  private long seenCluster;

  /** Whether the client wants changes as they come. */
  private boolean wantsPush;

  /** Named by one request, and kept for those that follow. */
  private @Nullable Sets sets;

  NodeStream(
      Conversation<WatchReq, StreamItem> conversation,
      ClientProgress client,
      Caller caller,
      Served served) {
    this.conversation = conversation;
    this.client = client;
    this.caller = caller;
    this.served = served;
    this.out = new Batches(conversation::write);
  }

  /** Notes at once what a request reports that asks for nothing; returns whether it is one. */
  static boolean isReport(WatchReq request, ClientProgress client) {
    if (request.getReportOnly()) {
      client.reported(request.getReport());
    }
    return request.getReportOnly();
  }

  /** Serves until the client asks no more, or wants changes pushed from then on. */
  void run() {
    boolean goesOn = false;
    try {
      Optional<WatchReq> request = conversation.read();
      request.ifPresent(first -> {
        conversation.beat(first.getHeartbeatMillis(), served.heartbeat()::item);
        wantsPush = first.getPush();
      });
      while (request.isPresent() && !goesOn) {
        answer(request.get());
        goesOn = isPushed();
        request = goesOn ? request : conversation.read();
      }
    } finally {
      if (goesOn) {
        conversation.goOnWith(this);
      } else {
        close();
      }
    }
  }

  @Override
  public void close() {
    if (view != null) {
      view.close();
    }
  }

  private boolean isPushed() {
    NodeState state = held;
    return wantsPush && state != null && SharedChanges.canSend(state.sets());
  }

  private void answer(WatchReq request) {
    String node = served.node(request.getNodeName());
    caller.checkMayWatch(node);
    if (sets == null || request.getSetsCount() > 0) {
      sets = Sets.of(request.getSetsList(), KPNG, KNOWN, "localv1.Sets/Watch");
    }
    Sets wanted = sets;
    Views.View looked = look(node, request.getClientName());
    Feed<NodeSnapshot> feed = looked.feed();
    if (request.hasReport()) {
      client.reported(request.getReport());
    }
    Feed<ClusterDecision> written =
        wanted.sets().contains(Set.ServiceMetadataSet) ? served.metadata() : null;
    conversation.readOn();
    NodeState before = held == null ? begin(node, wanted, feed, request) : held;
    boolean due =
        held == null || !before.node().equals(node) || !before.sets().equals(wanted.sets());
    boolean wrote = false;
    while (!wrote) {
      long least = due ? 0 : before.revision();
      NodeState after;
      if (written == null) {
        after = new NodeState(node, wanted.sets(), conversation.awaitAfter(feed, least).value());
      } else {
        conversation.awaitEither(feed, least, written, due ? 0 : seenCluster);
        // Both of one decision: no service comes before what is written on it.
        NodeDecision now = looked.decision();
        after =
            new NodeState(node, wanted.sets(), now.snapshot(), now.cluster().cluster().services());
        seenCluster = now.cluster().revision();
      }
      wrote = write(wanted, before, after, due);
      before = after;
    }
  }

  /** Writes what leads to {@code after}, and returns whether there is anything, or has to be. */
  private boolean write(Sets wanted, NodeState before, NodeState after, boolean due) {
    NodeChange change = NodeChange.between(before.snapshot(), after.snapshot());
    boolean wrote = NodeChanges.write(served.encodings(), before, after, change, out) || due;
    held = after;
    if (wrote) {
      boolean follows = before.node().equals(after.node()) && change.before().isSynced();
      List<Trigger> triggers = follows ? change.triggers() : List.of();
      out.accept(wanted.named() ? sync(after, triggers) : StreamItem.SYNC);
      out.flush();
    }
    client.sent(after.revision());
    return wrote;
  }

  /** What a client holds that asks for the first time: a state that it has kept, or nothing. */
  private NodeState begin(String node, Sets wanted, Feed<NodeSnapshot> feed, WatchReq request) {
    out.upTo(request.getBatchBytes());
    // What was written on services then is not kept.
    boolean resumes = request.hasResume() && !wanted.sets().contains(Set.ServiceMetadataSet);
    Feed.State<NodeSnapshot> kept = resumes ? feed.find(request.getResume()) : null;
    if (kept != null) {
      return new NodeState(node, wanted.sets(), kept.value());
    }
    conversation.write(StreamItem.RESET);
    boolean packed =
        request.getGzip()
            && Integer.toUnsignedLong(request.getBatchBytes()) >= WholeStates.PACKED_BYTES;
    return packed && SharedChanges.canSend(wanted.sets())
        ? beginPacked(node, feed)
        : NodeState.nothing();
  }

  /** Writes services as nodes like this one see them, and returns that as what the client holds. */
  private NodeState beginPacked(String node, Feed<NodeSnapshot> feed) {
    NodeSnapshot newest = conversation.awaitAfter(feed, 0).value();
    WholeStates.Whole whole = served.wholeStates().near(newest);
    whole.messages().forEach(conversation::write);
    NodeImage image = new NodeImage(1, newest.image().facts(), whole.services());
    return new NodeState(
        node, java.util.Set.of(Set.ServicesSet), new NodeSnapshot(image, newest.position()));
  }

  /** The view of {@code node}, which the client watches from now on. */
  private Views.View look(String node, String name) {
    Views.View current = view;
    if (current == null || !current.node().equals(node)) {
      if (current != null) {
        view = null;
        current.close();
      }
      current = served.views().open(node);
      view = current;
      client.watches(node, name, current.feed());
      served.welcome(client);
    }
    return current;
  }

  @Override
  public void watch(Pusher follower) {
    feed().watch(follower);
    served.heartbeat().watch(follower);
  }

  @Override
  public void unwatch(Pusher follower) {
    feed().unwatch(follower);
    served.heartbeat().unwatch(follower);
  }

  @Override
  public boolean isDue() {
    return feed().newest().revision() > held().revision();
  }

  @Override
  public boolean write() {
    NodeState before = held();
    NodeState after = newest();
    SharedChanges.SharedChange frame =
        served.sharedChanges().between(before.snapshot().image(), after.snapshot().image());
    StreamItem batch = frame == null ? null : frame.batch();
    if (frame == null || batch == null) {
      return false;
    }
    if (!frame.isEmpty()) {
      List<Trigger> triggers = before.snapshot().triggers(after.snapshot(), frame.names());
      StreamItem message = StreamItem.batch(batch, sync(after, triggers));
      if (!out.fits(message)) {
        return false;
      }
      conversation.write(message);
    }
    held = after;
    client.sent(after.revision());
    return true;
  }

  @Override
  public void catchUp() {
    write(new Sets(held().sets(), true), held(), newest(), false);
  }

  private Feed<NodeSnapshot> feed() {
    return Objects.requireNonNull(view).feed();
  }

  private NodeState held() {
    return Objects.requireNonNull(held);
  }

  /** What the client should hold. */
  private NodeState newest() {
    return new NodeState(held().node(), held().sets(), feed().newest().value());
  }

  private StreamItem sync(NodeState after, List<Trigger> triggers) {
    return StreamItem.sync(
        NodeMessages.change(feed().instance(), after.revision(), triggers, isPushed()));
  }
}
