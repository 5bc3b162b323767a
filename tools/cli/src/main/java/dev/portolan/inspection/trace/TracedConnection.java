package dev.portolan.inspection.trace;

import dev.portolan.core.fate.Explanation;
import dev.portolan.walk.FirstPacket;
import dev.portolan.walk.WalkResult;
import dev.portolan.walk.nft.live.LivePacket;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection: what was decided, and what the rules do.
 *
 * @param rules what rules these are
 * @param differences where the two differ, in sentences
 * @param live real packets that were seen meanwhile
 */
record TracedConnection(
    Explanation explanation,
    String rules,
    FirstPacket packet,
    WalkResult walked,
    List<String> differences,
    List<LivePacket> live) {
  TracedConnection {
    differences = List.copyOf(differences);
    live = List.copyOf(live);
  }

  /** The same with packets that were seen. */
  TracedConnection with(List<LivePacket> seen, List<String> further) {
    List<String> all = new ArrayList<>(differences);
    all.addAll(further);
    return new TracedConnection(explanation, rules, packet, walked, all, seen);
  }
}
