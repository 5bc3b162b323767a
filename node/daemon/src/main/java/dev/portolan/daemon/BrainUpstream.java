package dev.portolan.daemon;

import dev.portolan.api.localv1.SourceLost;
import dev.portolan.client.Connection;
import dev.portolan.client.LinkListener;
import dev.portolan.client.RemoteNode;
import dev.portolan.client.Subscription;
import dev.portolan.core.backend.Backend;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.error.ErrorCode;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.sync.Keeper;
import dev.portolan.sync.Observer;
import dev.portolan.telemetry.log.Log;
import dev.portolan.telemetry.metrics.MetricRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A brain that has decided for this node. It gets reports of what is applied; events of the cluster
 * are only logged.
 */
final class BrainUpstream implements Upstream {
  private final Log log;
  private final Connection connection;
  private final RemoteNode node;
  private final Semaphore news = new Semaphore(0);

  private volatile boolean answers;

  /**
   * Begins to follow the brain, whether or not it is there.
   *
   * @param clientName as the brain lists this daemon
   */
  BrainUpstream(
      BrainAccess access, String nodeName, String clientName, MetricRegistry registry, Log log) {
    this.log = log;
    this.connection = access.connect(log::warn);
    this.node =
        RemoteNode.open(
            connection, Subscription.of(nodeName).clientName(clientName).listener(new Link()));
    node.onChange(news::release);
    registry.read("portolan_brain_connected", samples -> samples.add(answers ? 1 : 0));
    registry.read(
        "portolan_brain_silent_seconds", samples -> samples.add(node.silence().toMillis() / 1e3));
  }

  @Override
  public String address() {
    return connection.address().toString();
  }

  @Override
  public ClusterEvents events() {
    return new Logged();
  }

  @Override
  public void addAge(Map<String, Object> answer) {
    answer.put("secondsSinceBrain", node.silence().toSeconds());
    answer.put("secondsBrainSourceSilent", node.sourceSilence().toSeconds());
  }

  /**
   * Waits until the brain has decided, and then for at most {@code patience} until it knows the
   * Node.
   *
   * @return what it says of the node
   */
  NodeFacts awaitNode(Duration patience) throws InterruptedException {
    while (!node.image().isSynced()) {
      news.acquire();
    }
    long end = System.nanoTime() + patience.toNanos();
    while (node.image().facts().isMissing()
        && news.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      news.drainPermits();
    }
    return node.image().facts();
  }

  /** Keeps a backend equal to what the brain decides, until the thread is interrupted. */
  void keep(Backend backend, Keeper.Options keeping, Telemetry telemetry, List<Observer> others)
      throws InterruptedException {
    List<Observer> observers = new ArrayList<>(List.of(telemetry));
    observers.addAll(others);
    observers.add(node.acknowledgement());
    try (Keeper keeper = new Keeper(node, backend, keeping, observers.toArray(Observer[]::new))) {
      node.onChange(() -> telemetry.decided(node.image()));
      telemetry.decided(node.image());
      keeper.run();
    }
  }

  @Override
  public void close() {
    node.close();
    connection.close();
  }

  /** Says when the brain, or what it reads from, is away, and when it is back. */
  private final class Link implements LinkListener {
    private boolean said;

    @Override
    public void connected() {
      answers = true;
      log.info(said ? "The brain is back" : "Connected to the brain", "address", address());
      said = false;
    }

    @Override
    public void lost(String sentence) {
      answers = false;
      said = true;
      log.warn(
          "The brain cannot be followed; the rules stay, and it is retried",
          "code",
          ErrorCode.BRAIN_API,
          "cause",
          sentence);
    }

    @Override
    public void sourceLost(Optional<SourceLost> lost) {
      lost.ifPresentOrElse(
          it ->
              log.warn(
                  "The brain cannot read the cluster; the rules stay",
                  "code",
                  ErrorCode.BRAIN_API,
                  "cause",
                  it.getWhy()),
          () -> log.info("The brain can read the cluster again"));
    }
  }

  /** Events that only the log gets. */
  private final class Logged implements ClusterEvents {
    @Override
    public void aboutNode(String type, String reason, String note) {
      log.v(2).info("Not written as an event", "type", type, "reason", reason, "note", note);
    }

    @Override
    public void aboutService(NamespacedName service, String reason, String action, String note) {
      log.v(2).info("Not written as an event", "service", service, "reason", reason, "note", note);
    }
  }
}
