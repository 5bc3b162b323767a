package dev.portolan.server;

import dev.portolan.brain.Brain;
import dev.portolan.brain.NodeDecision;
import dev.portolan.brain.NodeSettings;
import dev.portolan.brain.NodeView;
import dev.portolan.core.node.NodeSnapshot;
import io.grpc.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The nodes that are looked at: one view each, however many clients watch it.
 *
 * <p>A view stays open for a while after its last client left, so that one that comes back gets the
 * difference only.
 */
final class Views implements AutoCloseable {
  private final Brain brain;
  private final NodeSettings settings;
  private final Optional<NodeView> only;
  private final Limits limits;
  private final Map<String, View> views = new HashMap<>();

  /** Identifies this server since its start. */
  private final long instance = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);

  /** Numbers the states of all views, also of those that are opened again later. */
  private final AtomicLong serials = new AtomicLong();

  /** What is seen of one node. */
  final class View implements AutoCloseable {
    private final NodeView view;
    private final Feed<NodeSnapshot> feed;
    private int users;
    private long idleSince;

    private View(String node) {
      view = only.orElseGet(() -> brain.open(node, settings));
      feed = new Feed<>(view.newest(), limits.history(), serials);
      view.onChange(this::publish);
      publish();
    }

    private void publish() {
      NodeSnapshot newest = view.newest();
      feed.publish(newest.image().revision(), newest);
    }

    /** The node's name. */
    String node() {
      return view.node();
    }

    /** The node's states. */
    Feed<NodeSnapshot> feed() {
      return feed;
    }

    /** What is decided now: the node's state, and the cluster that it follows from. */
    NodeDecision decision() {
      return view.decision();
    }

    /** Says that one user is done. */
    @Override
    public void close() {
      release(this);
    }
  }

  /** The nodes that {@code brain} decides for, each under {@code settings}. */
  Views(Brain brain, NodeSettings settings, Limits limits) {
    this(brain, settings, Optional.empty(), limits);
  }

  /** The same; {@code only} is there where one node alone is served, and is not closed here. */
  Views(Brain brain, NodeSettings settings, Optional<NodeView> only, Limits limits) {
    this.brain = brain;
    this.settings = settings;
    this.only = only;
    this.limits = limits;
  }

  /** Opens a view of {@code node}; the caller closes it. */
  synchronized View open(String node) {
    View view = views.get(node);
    if (view == null) {
      makeRoom();
      view = new View(node);
      views.put(node, view);
    }
    view.users++;
    return view;
  }

  /** What is decided for {@code node} now; no view stays open for it. */
  NodeDecision decision(String node) {
    return brain.decision(node, settings);
  }

  /** Identifies this server since its start; never 0. Serials of states are numbers of it. */
  long instance() {
    return instance;
  }

  /** How many nodes are looked at. */
  synchronized int size() {
    return views.size();
  }

  /** Closes views that have been idle for long, and drops old states. */
  synchronized void sweep() {
    long now = System.nanoTime();
    Instant tooOld = Instant.now().minus(limits.historyAge());
    for (View view : List.copyOf(views.values())) {
      if (view.users == 0 && now - view.idleSince >= limits.viewIdle().toNanos()) {
        drop(view);
      } else {
        view.feed.forgetBefore(tooOld);
      }
    }
  }

  @Override
  public synchronized void close() {
    new ArrayList<>(views.values()).forEach(this::drop);
  }

  private synchronized void release(View view) {
    view.users--;
    view.idleSince = System.nanoTime();
  }

  private void makeRoom() {
    if (views.size() < limits.views()) {
      return;
    }
    long now = System.nanoTime();
    View longest =
        views.values().stream()
            .filter(view -> view.users == 0)
            .max(Comparator.comparingLong(view -> now - view.idleSince))
            .orElseThrow(() ->
                Status.RESOURCE_EXHAUSTED
                    .withDescription(
                        "this brain has reached its limit of %d nodes".formatted(limits.views()))
                    .asRuntimeException());
    drop(longest);
  }

  private void drop(View view) {
    views.remove(view.node());
    if (only.isEmpty()) {
      view.view.close();
    }
    view.feed.retire(NodeSnapshot.unsynced(view.node()));
  }
}
