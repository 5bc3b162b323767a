package dev.portolan.decision.view;

import dev.portolan.api.v1.NodeBehind;
import dev.portolan.api.v1.WaitReply;
import dev.portolan.core.text.Tree;
import dev.portolan.terminal.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * How far the nodes are on the way to what a command waits for, as all servers of a cluster say.
 *
 * @param settled whether every server had the time to hear from its nodes
 * @param done how many nodes are there
 * @param slowest the one that took longest; empty where it is not known of any
 * @param behind how many have a backend that is not there yet, of which some are named
 * @param missing the nodes that no server has a backend for
 */
public record AwaitedNodes(
    boolean synced,
    boolean settled,
    int done,
    long lowestRevision,
    long highestRevision,
    String slowest,
    long slowestNanos,
    int behind,
    List<NodeBehind> nodesBehind,
    List<String> missing) {
  private static final int MOST_MISSING = 20;

  /** Puts together what several servers say, each of the nodes that it feeds. */
  public static AwaitedNodes of(List<WaitReply> replies) {
    TreeSet<String> missing = new TreeSet<>(replies.getFirst().getMissingList());
    replies.forEach(reply -> missing.retainAll(reply.getMissingList()));
    WaitReply slowest =
        replies.stream().max(Comparator.comparingLong(WaitReply::getSlowestNanos)).orElseThrow();
    return new AwaitedNodes(
        replies.stream().allMatch(WaitReply::getSynced),
        replies.stream().allMatch(WaitReply::getSettled),
        replies.stream().mapToInt(WaitReply::getDone).sum(),
        replies.stream()
            .filter(reply -> reply.getDone() > 0)
            .mapToLong(WaitReply::getLowestRevision)
            .min()
            .orElse(0),
        replies.stream().mapToLong(WaitReply::getHighestRevision).max().orElse(0),
        slowest.getSlowest(),
        slowest.getSlowestNanos(),
        replies.stream().mapToInt(WaitReply::getBehind).sum(),
        replies.stream().flatMap(reply -> reply.getNodesBehindList().stream()).toList(),
        List.copyOf(missing));
  }

  /** Whether all nodes are there, or those that have a backend. */
  public boolean isDone(boolean ignoreMissing) {
    boolean all = ignoreMissing ? settled && done > 0 : missing.isEmpty();
    return synced && behind == 0 && all;
  }

  /** All nodes that count. */
  public int total() {
    return done + behind + missing.size();
  }

  /** How many are there, as in {@code 3 of 4 nodes have}. */
  public String count() {
    return "%d of %d node%s %s"
        .formatted(done, total(), total() == 1 ? "" : "s", total() == 1 ? "has" : "have");
  }

  /**
   * What else to print when all have arrived: revision, the slowest, those that were passed over.
   */
  public String details() {
    List<String> details = new ArrayList<>();
    if (done > 0) {
      details.add(
          lowestRevision == highestRevision
              ? "revision " + Long.toUnsignedString(highestRevision)
              : "revisions %s to %s"
                  .formatted(
                      Long.toUnsignedString(lowestRevision),
                      Long.toUnsignedString(highestRevision)));
    }
    if (!slowest.isEmpty()) {
      details.add("slowest " + Text.printable(slowest) + ", " + time(slowestNanos));
    }
    if (!missing.isEmpty()) {
      details.add(
          "ignored: "
              + named(missing)
              + (missing.size() == 1 ? " has" : " have")
              + " no backend here");
    }
    return details.isEmpty() ? "" : " (" + String.join("; ", details) + ")";
  }

  /** A line for each node that is not there, with what it says; not more than a screen has. */
  public List<String> laggards() {
    List<String> lines = new ArrayList<>();
    int width =
        nodesBehind.stream()
            .mapToInt(node -> Text.printable(node.getNode()).length())
            .max()
            .orElse(0);
    for (NodeBehind node : nodesBehind) {
      lines.add(
          "  " + pad(Text.printable(node.getNode()), width) + "  " + Text.printable(state(node)));
    }
    if (behind > nodesBehind.size()) {
      lines.add("  and " + (behind - nodesBehind.size()) + " more");
    }
    if (!missing.isEmpty()) {
      lines.add("  " + named(missing) + ": no backend that reports is connected");
      lines.add("  (--ignore-missing passes over such nodes, --nodes names those that count)");
    }
    return lines;
  }

  private record Form(
      boolean done,
      int nodes,
      int nodesDone,
      long lowestRevision,
      long highestRevision,
      String slowest,
      double slowestSeconds,
      int nodesBehind,
      List<Behind> behind,
      List<String> missing) {}

  private record Behind(String node, long revision, long applied, String undecided, String error) {
    static Behind of(NodeBehind node) {
      return new Behind(
          node.getNode(),
          node.getRevision(),
          node.getApplied(),
          node.getUndecided(),
          node.getError());
    }
  }

  /** The same for programs. */
  public Map<String, Object> tree(boolean ignoreMissing) {
    return Tree.of(
        new Form(
            isDone(ignoreMissing),
            total(),
            done,
            lowestRevision,
            highestRevision,
            slowest,
            slowestNanos / 1e9,
            behind,
            nodesBehind.stream().map(Behind::of).toList(),
            missing));
  }

  private static String state(NodeBehind node) {
    if (!node.getUndecided().isEmpty()) {
      return node.getUndecided();
    }
    String progress =
        node.getApplied() == 0
            ? "has applied nothing yet"
            : "has applied revision %s of %s"
                .formatted(
                    Long.toUnsignedString(node.getApplied()),
                    Long.toUnsignedString(node.getRevision()));
    return progress + (node.getError().isEmpty() ? "" : ": " + node.getError());
  }

  private static String named(List<String> nodes) {
    List<String> shown = nodes.stream().limit(MOST_MISSING).map(Text::printable).toList();
    int more = nodes.size() - shown.size();
    return String.join(", ", shown) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String time(long nanos) {
    return nanos < 1_000_000_000
        ? Math.max(1, nanos / 1_000_000) + " ms"
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
