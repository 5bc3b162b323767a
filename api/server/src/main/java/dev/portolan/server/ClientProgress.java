package dev.portolan.server;

import dev.portolan.api.localv1.Report;
import dev.portolan.server.access.TextLengths;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of one client: how far it has come. Several threads each add their part. */
final class ClientProgress implements Feed.Watcher, LocalBackend {
  private final String peer;
  private String node = "";
  private String name = "";
  private @Nullable Feed<?> feed;
  private long sent;
  private long applied;
  private boolean reports;
  private @Nullable Instant appliedAt;
  private @Nullable Instant behindSince;
  private @Nullable Instant goneAt;
  private ClientStatus.@Nullable AuditReport audit;
  private String error = "";

  /**
   * What a client that works for a node has said.
   *
   * @param applied the newest revision that it has applied; 0 where none
   * @param at when it said so
   * @param states those of the node that are known, the oldest first
   */
  record Reported(
      String node, long applied, Instant at, String error, List<? extends Feed.State<?>> states) {}

  /** A client of which nothing is known but where it connects from. */
  ClientProgress(String peer) {
    this.peer = peer;
  }

  @Override
  public synchronized void changed(Feed.State<?> newest) {
    judge(newest);
  }

  /** Watches {@code feed} from now on, that of {@code node}. */
  synchronized void watches(String node, String name, Feed<?> feed) {
    Feed<?> before = this.feed;
    if (before != null) {
      before.unwatch(this);
    }
    this.node = node;
    this.name = name;
    this.feed = feed;
    sent = 0;
    applied = 0;
    behindSince = null;
    feed.watch(this);
    judge(feed.newest());
  }

  /** Everything up to {@code revision} went out. */
  synchronized void sent(long revision) {
    sent = revision;
    judge(newest());
  }

  /** The client says how far it has come; what it says of another instance is not counted. */
  synchronized void reported(Report report) {
    reports = true;
    error = TextLengths.sentence(report.getError());
    if (report.hasAudit()) {
      audit =
          new ClientStatus.AuditReport(
              Instant.EPOCH.plusNanos(report.getAudit().getUnixNanos()),
              report.getAudit().getDifferences());
    }
    Feed<?> watched = feed;
    if (watched != null && report.getApplied().getInstance() == watched.instance()) {
      applied = report.getApplied().getRevision();
      appliedAt = Instant.now();
    }
    judge(newest());
  }

  @Override
  public synchronized void applied(long revision) {
    reports = true;
    error = "";
    sent = revision;
    applied = revision;
    appliedAt = Instant.now();
    judge(newest());
  }

  @Override
  public synchronized void audited(Instant at, int differences) {
    audit = new ClientStatus.AuditReport(at, differences);
  }

  @Override
  public synchronized void failed(String sentence) {
    reports = true;
    error = sentence;
  }

  /** The client is gone; {@code why} is empty where it simply left. */
  synchronized void gone(String why) {
    goneAt = Instant.now();
    if (!why.isEmpty()) {
      error = why;
    }
    if (feed != null) {
      feed.unwatch(this);
    }
  }

  /** Where it connects from. */
  String peer() {
    return peer;
  }

  /** The node that it watches; empty for the cluster. */
  synchronized String node() {
    return node;
  }

  /** A description of the client. */
  synchronized String describe() {
    String who = name.isEmpty() ? "a client" : name;
    if (feed == null) {
      return who + " at " + peer;
    }
    return "%s of %s at %s".formatted(who, node.isEmpty() ? "the cluster" : "node " + node, peer);
  }

  /** Whether the client left before {@code time}. */
  synchronized boolean isGoneSince(Instant time) {
    return goneAt != null && !goneAt.isAfter(time);
  }

  /** Whether this one is gone and {@code other} took its place. */
  boolean isReplacedBy(ClientProgress other) {
    ClientStatus mine = status();
    ClientStatus its = other.status();
    return !mine.connected()
        && mine.node().equals(its.node())
        && mine.client().equals(its.client());
  }

  /** How far it is; empty for one that does not report, or that watches no node. */
  synchronized Optional<Reported> reported() {
    Feed<?> watched = feed;
    if (!reports || watched == null || node.isEmpty()) {
      return Optional.empty();
    }
    Instant at = appliedAt == null ? Instant.EPOCH : appliedAt;
    return Optional.of(new Reported(node, applied, at, error, watched.history()));
  }

  synchronized ClientStatus status() {
    Feed.State<?> newest = newest();
    return new ClientStatus(
        node,
        name,
        peer,
        goneAt == null,
        newest == null ? 0 : newest.revision(),
        sent,
        applied,
        reports,
        newest == null || newest.revision() == 0 ? Optional.empty() : Optional.of(newest.made()),
        Optional.ofNullable(appliedAt),
        Optional.ofNullable(behindSince),
        Optional.ofNullable(audit),
        error);
  }

  private Feed.@Nullable State<?> newest() {
    return feed == null ? null : feed.newest();
  }

  /** Notes since when the client is behind, if it is. */
  private void judge(Feed.@Nullable State<?> newest) {
    if (newest == null || (reports ? applied : sent) >= newest.revision()) {
      behindSince = null;
    } else if (behindSince == null) {
      behindSince = newest.made();
    }
  }
}
