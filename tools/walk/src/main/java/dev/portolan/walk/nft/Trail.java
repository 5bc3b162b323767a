package dev.portolan.walk.nft;

import dev.portolan.walk.WalkStep;
import dev.portolan.walk.nft.table.Waypoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that did something with a packet, the last one first. Nothing becomes text before a
 * trail is read, because most never are.
 *
 * @param effect what was done there; its text is what a person reads
 */
record Trail(@Nullable Trail before, @Nullable Waypoint at, Object effect) {
  static final Trail START = new Trail(null, null, "");

  /** Two effects of one rule. */
  record Both(Object first, Object second) {
    @Override
    public String toString() {
      return first + ", " + second;
    }
  }

  /** The steps from the first on. */
  List<WalkStep> steps() {
    Deque<WalkStep> steps = new ArrayDeque<>();
    for (Trail trail = this; trail != null && trail.at != null; trail = trail.before) {
      steps.addFirst(new WalkStep(trail.at.place(), trail.at.text(), trail.effect.toString()));
    }
    return List.copyOf(steps);
  }
}
