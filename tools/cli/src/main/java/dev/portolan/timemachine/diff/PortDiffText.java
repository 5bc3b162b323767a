package dev.portolan.timemachine.diff;

import dev.portolan.compare.decisions.AddressChange;
import dev.portolan.compare.decisions.EndpointChange;
import dev.portolan.compare.decisions.NodeSet;
import dev.portolan.compare.decisions.PortDifference;
import dev.portolan.compare.decisions.TrafficDifference;
import dev.portolan.compare.decisions.VerdictChange;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Verdict;
import dev.portolan.terminal.Paint;
import java.util.ArrayList;
import java.util.List;

/** What differs for one port, line by line. */
final class PortDiffText {
  private static final int MOST_ENDPOINTS = 6;

  private final LabelledLines lines;
  private final boolean twoNodes;

  /** Adds to {@code lines}; between two nodes no connection is cut. */
  PortDiffText(LabelledLines lines, boolean twoNodes) {
    this.lines = lines;
    this.twoNodes = twoNodes;
  }

  /** Adds all lines about a port. */
  void add(PortDifference port) {
    port.addressesLost().forEach(change -> address('-', Paint.RED, change, port.nodes()));
    port.addressesGained().forEach(change -> address('+', Paint.GREEN, change, port.nodes()));
    DiffText.printProperties(port.properties(), lines);
    List<TrafficDifference> left = new ArrayList<>(port.traffic());
    while (!left.isEmpty()) {
      TrafficDifference first = left.getFirst();
      List<TrafficDifference> alike = left.stream().filter(first::isLike).toList();
      left.removeAll(alike);
      traffic(label(alike, port.traffic().size()), first);
    }
    stopped(port);
  }

  private void address(char sign, Paint paint, AddressChange change, NodeSet all) {
    lines.add(
        "address",
        paint,
        sign + " " + change.address() + (change.nodes().equals(all) ? "" : on(change.nodes())));
  }

  private static String label(List<TrafficDifference> alike, int of) {
    if (alike.size() == of && of > 1) {
      return "all traffic";
    }
    return String.join(", ", alike.stream().map(kind -> NodesPhrase.word(kind.traffic())).toList());
  }

  private void traffic(String label, TrafficDifference traffic) {
    for (VerdictChange verdict : traffic.verdicts()) {
      lines.add(label, paint(verdict), text(verdict));
    }
    NodeSet all = traffic.verdicts().getFirst().nodes();
    boolean one = traffic.verdicts().size() == 1;
    endpoints(label, '-', Paint.RED, traffic.lost(), all, one);
    endpoints(label, '+', Paint.GREEN, traffic.gained(), all, one);
  }

  private static Paint paint(VerdictChange change) {
    return change.breaks() ? Paint.RED : change.mends() ? Paint.GREEN : Paint.NONE;
  }

  private static String text(VerdictChange change) {
    String before = change.endpointsBefore().toString();
    String after = change.endpointsAfter().toString();
    String noun = after.equals("1") ? " endpoint" : " endpoints";
    boolean sameNumber = before.equals(after);
    String counts = (sameNumber ? after : before + " → " + after) + noun;
    if (change.before() == change.after()) {
      String others = after.equals("1") ? ", not the same one" : ", not the same ones";
      boolean said = on(change.nodes()).isEmpty();
      return counts + (sameNumber ? others + (said ? "" : ",") : "") + on(change.nodes());
    }
    boolean counted = change.before() == Verdict.FORWARD || change.after() == Verdict.FORWARD;
    return change.before()
        + " → "
        + change.after()
        + (counted ? ", " + counts : "")
        + (counted && !on(change.nodes()).isEmpty() ? "," : "")
        + on(change.nodes());
  }

  private void endpoints(
      String label,
      char sign,
      Paint paint,
      List<EndpointChange> changes,
      NodeSet all,
      boolean oneVerdict) {
    for (EndpointChange change : changes.subList(0, Math.min(MOST_ENDPOINTS, changes.size()))) {
      boolean everywhere = oneVerdict && change.nodes().equals(all);
      lines.add(
          label,
          paint,
          sign + " " + text(change.endpoint()) + (everywhere ? "" : on(change.nodes())));
    }
    int more = changes.size() - MOST_ENDPOINTS;
    if (more > 0) {
      lines.add(label, paint, sign + " " + NodesPhrase.number(more) + " more");
    }
  }

  private static String text(Endpoint endpoint) {
    return endpoint + (endpoint.node().isEmpty() ? "" : " (" + endpoint.node() + ")");
  }

  /** What becomes of connections that are there. */
  private void stopped(PortDifference port) {
    List<EndpointChange> stopped = port.stopped();
    if (stopped.isEmpty() || twoNodes) {
      return;
    }
    List<String> some =
        stopped.stream().limit(MOST_ENDPOINTS).map(change -> change.endpoint().toString()).toList();
    int more = stopped.size() - some.size();
    String to =
        String.join(", ", some) + (more > 0 ? " and " + NodesPhrase.number(more) + " more" : "");
    lines.add(
        "cut",
        Paint.YELLOW,
        port.endsFlows()
            ? "flows to " + to + " are ended at once"
            : "connections to " + to + " last only as long as the pod does");
  }

  private static String on(NodeSet nodes) {
    return NodesPhrase.on(nodes);
  }
}
