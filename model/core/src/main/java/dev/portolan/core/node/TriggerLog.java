package dev.portolan.core.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The recent triggers, in order, for readers that each stand at another place.
 *
 * <p>Entries are linked forward, and a snapshot holds the entry that was the newest when it was
 * made. From an older to a newer snapshot there is a walk that passes every trigger in between,
 * however many were skipped; entries behind the oldest snapshot still held are garbage. One writer
 * appends; readers need no lock. A reader that falls more than {@value #CAPACITY} entries behind
 * loses what lies between, so that a reader that stopped cannot hold memory.
 */
public final class TriggerLog {
  private static final int CAPACITY = 10_000;

  private Position newest = new Position(null);
  private Position oldest = newest;
  private int length;

  /** A place in the log. */
  public static final class Position {
    /** The place before every trigger, for images that carry none. */
    public static final Position START = new Position(null);

    private final @Nullable Trigger trigger;
    private volatile @Nullable Position next;

    private Position(@Nullable Trigger trigger) {
      this.trigger = trigger;
    }

    /** The triggers after this place, up to and including {@code end}. */
    List<Trigger> until(Position end) {
      List<Trigger> passed = new ArrayList<>();
      Position position = this;
      while (position != end) {
        position = position.next;
        if (position == null) {
          return List.of();
        }
        if (position.trigger != null) {
          passed.add(position.trigger);
        }
      }
      return passed;
    }
  }

  /** Adds the newest trigger. */
  public void append(Trigger trigger) {
    Position added = new Position(trigger);
    newest.next = added;
    newest = added;
    if (length < CAPACITY) {
      length++;
      return;
    }
    Position forgotten = oldest;
    oldest = Objects.requireNonNull(oldest.next);
    forgotten.next = null;
  }

  /** The place of the newest trigger. */
  public Position position() {
    return newest;
  }
}
