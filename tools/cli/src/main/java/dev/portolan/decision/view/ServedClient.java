package dev.portolan.decision.view;

import dev.portolan.api.v1.NodeStatus;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.Paint;
import dev.portolan.terminal.TextTable;
import dev.portolan.terminal.TextTable.Cell;
import dev.portolan.terminal.TextTable.Column;
import dev.portolan.terminal.TextTable.Fit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One client of a brain, as {@code nodes} shows it at a moment. */
public record ServedClient(NodeStatus status, Instant now) implements Tree.Shown {
  private static final long NANOS = 1_000_000_000;

  /** How a client fares. */
  enum State {
    OK(Paint.NONE),
    BEHIND(Paint.YELLOW),
    FAILING(Paint.RED),
    GONE(Paint.YELLOW),
    ENDED(Paint.RED),
    NO_CLIENT(Paint.YELLOW);

    private final Paint paint;

    State(Paint paint) {
      this.paint = paint;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** A Node that no client watches. */
  public static NodeStatus nobody(String node) {
    return NodeStatus.newBuilder().setNode(node).build();
  }

  /** A table of such clients, in the width of a terminal. */
  public static TextTable table() {
    return new TextTable(
        new Column("NODE", Fit.CUT_MIDDLE, 12),
        new Column("CLIENT", Fit.CUT_MIDDLE, 8),
        new Column("REVISION", Fit.ALIGN_RIGHT, 0),
        new Column("APPLIED", Fit.ALIGN_RIGHT, 0),
        new Column("AGE", Fit.ALIGN_RIGHT, 0),
        new Column("LAG", Fit.ALIGN_RIGHT, 0),
        new Column("STATE", Fit.WRAP, 18));
  }

  /** A table with more, that cuts nothing. */
  public static TextTable wideTable() {
    return new TextTable(
        new Column("NODE", Fit.NEVER_CUT, 0),
        new Column("CLIENT", Fit.NEVER_CUT, 0),
        new Column("PEER", Fit.NEVER_CUT, 0),
        new Column("REVISION", Fit.ALIGN_RIGHT, 0),
        new Column("SENT", Fit.ALIGN_RIGHT, 0),
        new Column("APPLIED", Fit.ALIGN_RIGHT, 0),
        new Column("APPLIED AGE", Fit.ALIGN_RIGHT, 0),
        new Column("AGE", Fit.ALIGN_RIGHT, 0),
        new Column("LAG", Fit.ALIGN_RIGHT, 0),
        new Column("AUDIT", Fit.NEVER_CUT, 0),
        new Column("STATE", Fit.NEVER_CUT, 0));
  }

  /** Adds the row of {@link #table}. */
  public void addTo(TextTable table) {
    table.row(
        name(), Cell.of(client()), revision(), applied(), age(), lag(), new Cell(text(), paint()));
  }

  /** Adds the row of {@link #wideTable}. */
  public void addToWide(TextTable table) {
    table.row(
        name(),
        Cell.of(client()),
        Cell.of(status.getPeer().isEmpty() ? "-" : status.getPeer()),
        revision(),
        Cell.of(Long.toUnsignedString(status.getSent())),
        applied(),
        Cell.of(since(status.getAppliedUnixNanos())),
        age(),
        lag(),
        audit(),
        new Cell(text(), paint()));
  }

  /** What the last audit found, and how long ago: {@code 0, 2m ago}. */
  Cell audit() {
    return status.getAuditedUnixNanos() == 0
        ? Cell.of("-")
        : new Cell(
            Long.toUnsignedString(status.getAuditDifferences())
                + ", "
                + since(status.getAuditedUnixNanos())
                + " ago",
            status.getAuditDifferences() == 0 ? Paint.NONE : Paint.YELLOW);
  }

  private record Row(
      String node,
      String client,
      String peer,
      State state,
      boolean connected,
      boolean reports,
      long revision,
      long sent,
      long applied,
      Optional<Instant> changed,
      Optional<Instant> appliedAt,
      Optional<Instant> behindSince,
      Optional<Instant> auditedAt,
      long auditDifferences,
      String error) {}

  /** Times are the brain's. */
  @Override
  public Object shown() {
    return new Row(
        status.getNode(),
        status.getClient(),
        status.getPeer(),
        state(),
        status.getConnected(),
        status.getReports(),
        status.getRevision(),
        status.getSent(),
        status.getApplied(),
        time(status.getChangedUnixNanos()),
        time(status.getAppliedUnixNanos()),
        time(status.getBehindSinceUnixNanos()),
        time(status.getAuditedUnixNanos()),
        status.getAuditDifferences(),
        status.getError());
  }

  /** How the client fares. */
  State state() {
    boolean failed = !status.getError().isEmpty();
    if (status.getPeer().isEmpty()) {
      return State.NO_CLIENT;
    }
    if (!status.getConnected()) {
      return failed ? State.ENDED : State.GONE;
    }
    if (failed) {
      return State.FAILING;
    }
    return status.getBehindSinceUnixNanos() == 0 ? State.OK : State.BEHIND;
  }

  private Cell name() {
    return new Cell(status.getNode().isEmpty() ? "(cluster)" : status.getNode(), paint());
  }

  private String client() {
    return status.getClient().isEmpty() ? "-" : status.getClient();
  }

  private Cell revision() {
    return Cell.of(state() == State.NO_CLIENT ? "-" : Long.toUnsignedString(status.getRevision()));
  }

  /** What a client that never reports has applied is unknown. */
  private Cell applied() {
    return Cell.of(status.getReports() ? Long.toUnsignedString(status.getApplied()) : "-");
  }

  private Cell age() {
    return Cell.of(since(status.getChangedUnixNanos()));
  }

  private Cell lag() {
    return new Cell(since(status.getBehindSinceUnixNanos()), paint());
  }

  private Paint paint() {
    return state().paint;
  }

  private String text() {
    return state() + (status.getError().isEmpty() ? "" : ": " + status.getError());
  }

  private String since(long nanos) {
    return time(nanos).map(then -> age(Duration.between(then, now))).orElse("-");
  }

  private static Optional<Instant> time(long nanos) {
    return Optional.of(
            Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS)))
        .filter(_ -> nanos != 0);
  }

  /** A time as a person counts it; clocks may differ, so that it can be below zero. */
  public static String age(Duration age) {
    if (age.isNegative() || age.toMillis() == 0) {
      return "0s";
    }
    for (Unit unit : UNITS) {
      if (age.toMillis() >= unit.least) {
        return age.toMillis() / unit.millis + unit.letter;
      }
    }
    return age.toMillis() + "ms";
  }

  private static final List<Unit> UNITS =
      List.of(
          new Unit("d", 86_400_000, 172_800_000),
          new Unit("h", 3_600_000, 7_200_000),
          new Unit("m", 60_000, 120_000),
          new Unit("s", 1_000, 1_000));

  /** A unit of time, and from which age on it is used. */
  private record Unit(String letter, long millis, long least) {}
}
