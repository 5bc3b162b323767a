package dev.portolan.takeover;

import dev.portolan.core.backend.BackendException;
import dev.portolan.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What kube-proxy left on this node. As text it is a few lines: what, and how many. */
public final class Leftovers {
  private final List<Leftover> found;
  private final List<String> unknown;

  /**
   * What came of a removal.
   *
   * @param removed what is gone; not what goes when its connections have ended
   * @param failed what was found and is not gone, and why
   * @param unknown where something may be that could not be looked at
   */
  public record Removal(List<String> removed, List<String> failed, List<String> unknown) {
    public Removal {
      removed = List.copyOf(removed);
      failed = List.copyOf(failed);
      unknown = List.copyOf(unknown);
    }

    /** What is not gone, as far as is known, and why. */
    public List<String> stayed() {
      return Stream.concat(unknown.stream(), failed.stream()).toList();
    }

    /** Whether nothing stayed. */
    public boolean isComplete() {
      return stayed().isEmpty();
    }
  }

  Leftovers(List<Leftover> found, List<String> unknown) {
    this.found = List.copyOf(found);
    this.unknown = List.copyOf(unknown);
  }

  /** Whether nothing was found. */
  public boolean isEmpty() {
    return found.isEmpty();
  }

  /** What was found, a line each. */
  public List<String> lines() {
    return found.stream().map(Leftover::describe).toList();
  }

  /** Where something may be that could not be looked at, a sentence each. */
  public List<String> unknown() {
    return unknown;
  }

  /**
   * Removes all of it, as it is by now. A second call does no harm. Where something fails the rest
   * is removed all the same. Tracked flows are not touched: what they translate goes on.
   */
  public Removal remove() {
    List<String> removed = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (Leftover leftover : found) {
      try {
        leftover.remove();
        String gone = leftover.gone();
        if (!gone.isEmpty()) {
          removed.add(gone);
        }
      } catch (NetlinkException | BackendException e) {
        failed.add(leftover.describe() + ": " + e.getMessage());
      }
    }
    return new Removal(removed, failed, unknown);
  }

  @Override
  public String toString() {
    return String.join("\n", lines());
  }
}
