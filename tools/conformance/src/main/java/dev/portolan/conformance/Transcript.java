package dev.portolan.conformance;

import dev.portolan.api.localv1.OpItem;
import dev.portolan.api.localv1.Position;
import dev.portolan.api.localv1.WatchReq;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a candidate and its brain say to each other, and which rules the candidate breaks by it. */
final class Transcript {
  private static final Position NONE = Position.getDefaultInstance();

  private final String node;
  private final Set<Position> sent = new HashSet<>();
  private final Map<Long, Long> applied = new HashMap<>();
  private final List<String> offences = new ArrayList<>();
  private Position lastSent = NONE;
  private Position lastApplied = NONE;
  private boolean reporting;
  private boolean askedAgain;
  private long syncs;
  private String error = "";

  Transcript(String node) {
    this.node = node;
  }

  /** The candidate asks or reports. */
  synchronized void asked(WatchReq request) {
    if (!request.getNodeName().equals(node)) {
      offend("asked for node '%s' and not for '%s'".formatted(request.getNodeName(), node));
    }
    if (!request.getReportOnly()) {
      askedAgain = true;
      reporting = request.getSetsCount() > 0;
    }
    if (request.hasReport()) {
      error = request.getReport().getError();
      reported(request.getReport().getApplied());
    }
  }

  private void reported(Position position) {
    if (position.getInstance() == 0) {
      return;
    }
    if (!sent.contains(position)) {
      offend("acknowledged revision %d before its Sync".formatted(position.getRevision()));
    }
    Long before = applied.put(position.getInstance(), position.getRevision());
    if (before != null && before > position.getRevision()) {
      offend(
          "acknowledged revision %d after revision %d".formatted(position.getRevision(), before));
    }
    lastApplied = position;
  }

  /** An item is about to go out to the candidate. */
  synchronized void sends(OpItem item) {
    if (item.getOpCase() == OpItem.OpCase.SYNC) {
      lastSent = item.getChange().getPosition();
      sent.add(lastSent);
      askedAgain = false;
      syncs++;
    }
  }

  private void offend(String offence) {
    offences.add(offence);
  }

  /** How many sets of changes went out whole. */
  synchronized long syncs() {
    return syncs;
  }

  /** The rules that were broken, the first one first. */
  synchronized List<String> offences() {
    return List.copyOf(offences);
  }

  /** Whether the candidate says that it is done with all that went out. */
  synchronized boolean isAcknowledged() {
    return reporting ? lastApplied.equals(lastSent) : askedAgain;
  }

  /** What is missing until all is acknowledged. */
  synchronized String arrears() {
    String cause = error.isEmpty() ? "" : "; it reported: " + error;
    if (!reporting) {
      return "did not ask again after a Sync";
    }
    if (lastApplied.equals(NONE)) {
      return "acknowledged nothing" + cause;
    }
    return lastApplied.getInstance() == lastSent.getInstance()
        ? "acknowledged revision %d and not %d%s"
            .formatted(lastApplied.getRevision(), lastSent.getRevision(), cause)
        : "acknowledged nothing since the server came back" + cause;
  }
}
