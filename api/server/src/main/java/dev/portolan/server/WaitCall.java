package dev.portolan.server;

import dev.portolan.api.v1.NodeBehind;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.api.v1.WaitRequest;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.server.ClientProgress.Reported;
import dev.portolan.server.access.Caller;
import dev.portolan.server.encoding.Heartbeat;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Says how far the nodes are on the way to what a client waits for, again and again.
 *
 * <p>A node is done if the condition holds for the state that its backend has applied, and for
 * every later one: the backend may be about to apply any of these. A node with several backends is
 * done if all of them are.
 */
final class WaitCall {
  private static final WaitReply HEARTBEAT = WaitReply.newBuilder().setHeartbeat(true).build();

  private static final Duration PAUSE = Duration.ofMillis(50);

  /** A waiting call takes at most a twentieth of a processor, however many nodes there are. */
  private static final int PAUSES = 20;

  private static final int MOST_NAMED = 20;

  private final Conversation<WaitRequest, WaitReply> conversation;
  private final Caller caller;
  private final Served served;
  private WaitRequest request = WaitRequest.getDefaultInstance();
  private List<WaitCondition> conditions = List.of();

  /** For each node its newest revision when it was first seen. */
  private final Map<String, Long> firstSeen = new HashMap<>();

  /** The nodes that were seen behind at some time. */
  private final Set<String> seenBehind = new HashSet<>();

  /** For each node that is there how long that took; zero where it was there all along. */
  private final Map<String, Duration> times = new HashMap<>();

  /** What became of one look at all nodes. */
  private final class Look {
    private final WaitReply.Builder reply =
        WaitReply.newBuilder().setSynced(isSynced()).setSettled(served.clients().areBack());
    private final Map<String, List<Reported>> backends = served.clients().reporting();
    private Duration slowest = Duration.ZERO;

    WaitReply reply() {
      if (reply.getSynced()) {
        names(backends.keySet()).forEach(this::add);
        times.keySet().retainAll(backends.keySet());
      }
      return reply.build();
    }

    private void add(String node) {
      List<Reported> reports = backends.getOrDefault(node, List.of());
      if (reports.isEmpty()) {
        reply.addMissing(node);
        return;
      }
      Optional<Reported> behind = reports.stream().filter(report -> !isThere(report)).findFirst();
      if (behind.isPresent()) {
        seenBehind.add(node);
        times.remove(node);
        reply.setBehind(reply.getBehind() + 1);
        if (reply.getNodesBehindCount() < MOST_NAMED) {
          reply.addNodesBehind(message(behind.get()));
        }
      } else {
        addDone(node, reports.getFirst());
      }
    }

    private void addDone(String node, Reported report) {
      boolean first = reply.getDone() == 0;
      reply
          .setDone(reply.getDone() + 1)
          .setLowestRevision(
              first ? report.applied() : Math.min(reply.getLowestRevision(), report.applied()))
          .setHighestRevision(Math.max(reply.getHighestRevision(), report.applied()));
      Duration took = times.computeIfAbsent(node, name -> time(report));
      if (took.compareTo(slowest) > 0) {
        slowest = took;
        reply.setSlowest(node).setSlowestNanos(took.toNanos());
      }
    }
  }

  /** Answers one client. */
  WaitCall(Conversation<WaitRequest, WaitReply> conversation, Caller caller, Served served) {
    this.conversation = conversation;
    this.caller = caller;
    this.served = served;
  }

  /** Answers until the client ends the call. */
  void run() {
    request = conversation.read().orElse(WaitRequest.getDefaultInstance());
    conditions = conditions();
    if (request.getNodesCount() == 0) {
      caller.checkMaySeeAll();
    }
    request.getNodesList().forEach(node -> caller.checkMayWatch(served.node(node)));
    conversation.beat(request.getHeartbeatMillis(), () -> HEARTBEAT);
    try (Heartbeat.Waiting _ = served.heartbeat().awaitReports()) {
      answer();
    }
  }

  private void answer() {
    WaitReply last = null;
    while (true) {
      long begun = System.nanoTime();
      WaitReply reply = new Look().reply();
      if (last == null || !reply.equals(last)) {
        conversation.write(reply);
        last = reply;
      }
      conversation.beatOn();
      Duration took = Duration.ofNanos((System.nanoTime() - begun) * PAUSES);
      conversation.pause(took.compareTo(PAUSE) > 0 ? took : PAUSE);
    }
  }

  private List<WaitCondition> conditions() {
    try {
      return WaitCondition.of(request);
    } catch (IllegalArgumentException e) {
      throw Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException();
    }
  }

  private boolean isSynced() {
    return served.cluster().map(cluster -> cluster.newest().revision() > 0).orElse(true);
  }

  /** The nodes that count. */
  private Set<String> names(Set<String> withBackend) {
    if (request.getNodesCount() > 0) {
      return new TreeSet<>(request.getNodesList());
    }
    Set<String> names = new TreeSet<>(withBackend);
    Optional<Feed<ClusterImage>> cluster = served.cluster();
    if (cluster.isPresent()) {
      cluster.get().newest().value().nodes().forEach((name, node) -> names.add(name));
    } else {
      served.defaultNode().ifPresent(names::add);
    }
    return names;
  }

  /** Whether it is true of what was applied, and of every state since. */
  private boolean isThere(Reported report) {
    List<? extends Feed.State<?>> states = report.states();
    if (states.isEmpty()) {
      return false;
    }
    firstSeen.putIfAbsent(report.node(), states.getLast().revision());
    for (int i = states.size() - 1; i >= 0 && states.get(i).revision() >= report.applied(); i--) {
      if (unmet(report.node(), states.get(i)) != null) {
        return false;
      }
      if (states.get(i).revision() == report.applied()) {
        return true;
      }
    }
    // What was applied is not known any more: it is too old to be judged.
    return false;
  }

  /** What is not true of {@code state}; null where all is. */
  private @Nullable String unmet(String node, Feed.State<?> state) {
    long least = request.getNewest() ? firstSeen.getOrDefault(node, 0L) : request.getRevision();
    if (state.revision() < least) {
      return "the newest revision is " + state.revision();
    }
    for (WaitCondition condition : conditions) {
      if (state.value() instanceof NodeSnapshot snapshot) {
        Optional<String> why = condition.unmet(snapshot.image().services());
        if (why.isPresent()) {
          return why.get();
        }
      }
    }
    return null;
  }

  /** How long it took from the state that made it true to the rules; zero where that is unknown. */
  private Duration time(Reported report) {
    Feed.State<?> cause = null;
    boolean wasTrueBefore = true;
    for (Feed.State<?> state : report.states().reversed()) {
      if (unmet(report.node(), state) != null) {
        wasTrueBefore = false;
        break;
      }
      cause = state;
    }
    boolean exact = cause != null && cause.revision() == report.applied();
    boolean awaited = seenBehind.contains(report.node());
    if (cause == null || (!awaited && (wasTrueBefore || !exact))) {
      return Duration.ZERO;
    }
    Duration took = Duration.between(cause.made(), exact ? report.at() : Instant.now());
    return took.isNegative() ? Duration.ZERO : took;
  }

  private NodeBehind message(Reported report) {
    Feed.State<?> newest = report.states().isEmpty() ? null : report.states().getLast();
    String undecided = newest == null ? null : unmet(report.node(), newest);
    return NodeBehind.newBuilder()
        .setNode(report.node())
        .setRevision(newest == null ? 0 : newest.revision())
        .setApplied(report.applied())
        .setUndecided(undecided == null ? "" : undecided)
        .setError(report.error())
        .build();
  }
}
