package dev.portolan.client;

import dev.portolan.api.Methods;
import dev.portolan.api.NodeMessages;
import dev.portolan.api.WireException;
import dev.portolan.api.localv1.Audit;
import dev.portolan.api.localv1.Change;
import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Ref;
import dev.portolan.api.localv1.Report;
import dev.portolan.api.localv1.Set;
import dev.portolan.api.localv1.SourceLost;
import dev.portolan.api.localv1.Value;
import dev.portolan.api.localv1.WatchReq;
import dev.portolan.core.backend.BackendException;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.collection.PersistentMap;
import dev.portolan.core.error.Threads;
import dev.portolan.core.node.NodeChange;
import dev.portolan.core.node.NodeFeed;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.NodeSnapshot;
import dev.portolan.core.node.Trigger;
import dev.portolan.core.node.TriggerLog;
import dev.portolan.sync.Observer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a brain behind a connection decides for one node, kept up to date.
 *
 * <p>The image is always a whole state: what the server held at a Sync, never half of a set of
 * changes, whatever broke in between. While the server is away the last one stays. After a
 * reconnect only what really differs makes a new revision, even if the server was restarted and
 * sent everything again.
 *
 * <p>Revisions are this object's own: they start at 1 and only grow, so that they can be compared
 * across restarts of the server, whose own start over. {@link #position} says which state of the
 * server an image is equal to. It may move while the image stays the same.
 *
 * <p>A thread of its own follows the server until {@link #close}.
 */
public final class RemoteNode implements NodeFeed, AutoCloseable {
  /** For how many past images an acknowledgement can still be mapped to a state of the server. */
  private static final int REMEMBERED = 1000;

  private final Subscription subscription;

  /** The state that is known already, where only the next one is wanted. */
  private final Optional<Position> known;

  private boolean satisfied;
  private final Duration patience;
  private final int mostMessageBytes;
  private final int heartbeatMillis;
  private final WatchLoop<WatchReq> loop;
  private final Thread thread;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final TriggerLog triggers = new TriggerLog();
  private final CompletableFuture<NodeImage> first = new CompletableFuture<>();
  private volatile NodeSnapshot newest;

  /** The server's position of each of the newest images, by revision. */
  private final TreeMap<Long, Position> positions = new TreeMap<>();

  private long applied;
  private Position reported = Position.NONE;
  private String failure = "";

  /** Why what was applied could not be kept as it is. */
  private String unrepaired = "";

  private Optional<Audit> audited = Optional.empty();
  private Report sent = Report.getDefaultInstance();

  private RemoteNode(Connection connection, Subscription subscription, Optional<Position> known) {
    this.subscription = subscription;
    this.known = known;
    this.patience = connection.options().patience();
    this.mostMessageBytes = connection.options().mostMessageBytes();
    this.heartbeatMillis = connection.heartbeatMillis();
    this.newest = NodeSnapshot.unsynced(subscription.node());
    this.loop =
        new WatchLoop<>(
            connection, Methods.LOCAL_WATCH, new Content(), subscription.errorDelay(), new Link());
    this.thread =
        Threads.virtual("follow")
            .named("follow " + subscription.node())
            .lasting()
            .unstarted(this::follow);
  }

  /** Follows the node that {@code subscription} names. */
  public static RemoteNode open(Connection connection, Subscription subscription) {
    return open(connection, subscription, Optional.empty());
  }

  /**
   * Waits for one state of the node other than {@code known}, and asks for no more; for programs
   * that apply a node's state once. {@link #finish} is their last call.
   */
  public static RemoteNode openOnce(
      Connection connection, Subscription subscription, Position known) {
    return open(connection, subscription, Optional.of(known));
  }

  private static RemoteNode open(
      Connection connection, Subscription subscription, Optional<Position> known) {
    RemoteNode node = new RemoteNode(connection, subscription, known);
    node.thread.start();
    return node;
  }

  /** The state that the server has for the node now, under the number that it gives it. */
  public static NodeImage read(Connection connection, Subscription subscription, Duration longest)
      throws ConnectionException, InterruptedException {
    try (RemoteNode node = open(connection, subscription)) {
      Optional<NodeImage> first = node.first(longest);
      if (first.isEmpty()) {
        throw new ConnectionException(
            connection.address() + ": no state within " + longest.toSeconds() + " s");
      }
      return first.get();
    }
  }

  /**
   * The first state, under the number that the server gave it; empty if none came within {@code
   * longest}.
   *
   * @throws ConnectionException if the server was lost before
   */
  public Optional<NodeImage> first(Duration longest)
      throws ConnectionException, InterruptedException {
    try {
      return Optional.of(first.get(longest.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConnectionException lost) {
        throw lost;
      }
      throw new IllegalStateException(e);
    }
  }

  /** The newest image under the number that the server gave it, if it gave one. */
  public NodeImage numbered() {
    NodeImage image = image();
    Position position = position(image);
    return position.equals(Position.NONE)
        ? image
        : new NodeImage(position.revision(), image.facts(), image.services());
  }

  @Override
  public String node() {
    return subscription.node();
  }

  @Override
  public NodeSnapshot newest() {
    return newest;
  }

  @Override
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** How the connection fares. */
  public LinkStatus link() {
    return loop.link();
  }

  /**
   * How long the server has given no sign of life; zero while it is connected, however quiet it is.
   */
  public Duration silence() {
    return loop.silence();
  }

  /**
   * How long what the server itself reads the cluster from has given no sign of life, as it says;
   * zero where it does not say so.
   */
  public Duration sourceSilence() {
    return loop.sourceSilence();
  }

  /**
   * The newest state of the server that {@code image} is equal to; {@link Position#NONE} where the
   * server does not say, or where the image is many revisions old.
   */
  public synchronized Position position(NodeImage image) {
    return positions.getOrDefault(image.revision(), Position.NONE);
  }

  /** Acknowledges to the brain that {@code image}, which came from here, is applied. */
  public void applied(NodeImage image) {
    boolean recovers;
    synchronized (this) {
      applied = image.revision();
      reported = positions.getOrDefault(applied, reported);
      recovers = !failure.isEmpty();
      failure = "";
    }
    loop.tell(recovers);
  }

  /** Reports to the brain why an image newer than the last applied one could not be applied. */
  public void failed(String sentence) {
    synchronized (this) {
      failure = sentence;
    }
    loop.tell(true);
  }

  /** Reports to the brain that what was applied was compared now, and what that found. */
  public void audited(int differences) {
    Instant now = Instant.now();
    synchronized (this) {
      audited =
          Optional.of(
              Audit.newBuilder()
                  .setDifferences(differences)
                  .setUnixNanos(TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano())
                  .build());
    }
    loop.tell(false);
  }

  /** Tells the brain of what a keeper does. */
  public Observer acknowledgement() {
    return new Observer() {
      @Override
      public void applied(NodeChange change, Duration took) {
        RemoteNode.this.applied(change.after());
      }

      @Override
      public void failed(BackendException failure, Duration took, Duration pause) {
        RemoteNode.this.failed(String.valueOf(failure.getMessage()));
      }

      @Override
      public void audited(int differences) {
        RemoteNode.this.audited(differences);
      }

      @Override
      public void notRepaired(BackendException failure) {
        unrepaired(String.valueOf(failure.getMessage()));
      }

      @Override
      public void recovered() {
        unrepaired("");
      }
    };
  }

  private void unrepaired(String sentence) {
    synchronized (this) {
      unrepaired = sentence;
    }
    loop.tell(true);
  }

  /**
   * Returns when the server has what was last acknowledged or reported; for a node of {@link
   * #openOnce}. If the server does not answer, it returns after the connection's timeout.
   */
  public void finish() throws InterruptedException {
    if (loop.finish()) {
      thread.join(patience);
    }
  }

  /** Stops following; the last image stays. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow() {
    try {
      loop.run();
    } catch (InterruptedException e) {
      // It was closed.
    }
  }

  /** Whether there was anything to report so far. */
  private boolean reports() {
    return applied != 0 || !failure.isEmpty();
  }

  private Report report() {
    Report.Builder report =
        Report.newBuilder()
            .setApplied(reported.message())
            .setError(failure.isEmpty() ? unrepaired : failure);
    audited.ifPresent(report::setAudit);
    return report.build();
  }

  private WatchReq.Builder request() {
    WatchReq.Builder request =
        WatchReq.newBuilder()
            .setNodeName(subscription.node())
            .addSets(Set.ServicesSet)
            .addSets(Set.NodeFactsSet)
            .setClientName(subscription.clientName());
    if (subscription.metadata()) {
      request.addSets(Set.ServiceMetadataSet);
    }
    if (reports()) {
      sent = report();
      request.setReport(sent);
    }
    return request;
  }

  /** Takes a whole state; says whether it differs from the last one. */
  private synchronized boolean take(NodeAssembly whole, Position position, List<Trigger> happened) {
    NodeImage before = image();
    PersistentMap<NamespacedName, NodeService> services = whole.services();
    happened.forEach(triggers::append);
    boolean changed =
        !before.isSynced()
            || !whole.facts().equals(before.facts())
            || !services.isIdenticalTo(before.services().base());
    NodeImage image = NodeImage.of(before.revision() + (changed ? 1 : 0), whole.facts(), services);
    newest = new NodeSnapshot(image, triggers.position());
    positions.put(image.revision(), position);
    if (positions.size() > REMEMBERED) {
      positions.pollFirstEntry();
    }
    if (applied == image.revision()) {
      reported = position;
    }
    boolean old = !position.equals(Position.NONE) && known.equals(Optional.of(position));
    satisfied |= changed && (before.isSynced() || !old);
    return changed;
  }

  /** Notes a server that is lost before its first state. */
  private final class Link implements LinkListener {
    @Override
    public void connected() {
      subscription.listener().connected();
    }

    @Override
    public void lost(String sentence) {
      first.completeExceptionally(new ConnectionException(sentence));
      subscription.listener().lost(sentence);
    }

    @Override
    public void sourceLost(Optional<SourceLost> lost) {
      subscription.listener().sourceLost(lost);
    }

    @Override
    public void received(OpItem item) {
      subscription.listener().received(item);
    }
  }

  /** What the stream brings. */
  private final class Content implements WatchLoop.Content<WatchReq> {
    private @Nullable NodeAssembly assembly;
    private boolean trusted = true;

    @Override
    public WatchReq first() {
      synchronized (RemoteNode.this) {
        assembly = assembly();
        WatchReq.Builder request =
            request()
                .setBatchBytes(mostMessageBytes)
                .setHeartbeatMillis(heartbeatMillis)
                .setPush(known.isEmpty())
                .setGzip(true);
        Position held = position(image());
        if (trusted && !held.equals(Position.NONE)) {
          request.setResume(held.message());
        }
        trusted = true;
        return request.build();
      }
    }

    @Override
    public Optional<WatchReq> next() {
      synchronized (RemoteNode.this) {
        return known.isPresent() && satisfied ? Optional.empty() : Optional.of(request().build());
      }
    }

    @Override
    public Optional<WatchReq> news() {
      synchronized (RemoteNode.this) {
        return !reports() || report().equals(sent)
            ? Optional.empty()
            : Optional.of(request().setReportOnly(true).build());
      }
    }

    private NodeAssembly assembly() {
      return new NodeAssembly(node(), image().facts(), image().services().base());
    }

    private NodeAssembly present() {
      return assembly == null ? assembly() : assembly;
    }

    @Override
    public void reset() {
      present().reset();
    }

    @Override
    public void set(Value value) throws WireException {
      present().set(value);
    }

    @Override
    public void delete(Ref ref) throws WireException {
      present().delete(ref);
    }

    @Override
    public void sync(Change change) throws WireException {
      present().complete();
      if (take(present(), Position.of(change.getPosition()), NodeMessages.triggers(change))) {
        first.complete(numbered());
        listeners.forEach(Runnable::run);
      }
    }

    @Override
    public void distrust() {
      trusted = false;
    }
  }
}
