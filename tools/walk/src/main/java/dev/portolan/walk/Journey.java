package dev.portolan.walk;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the ways that a packet may go, as far as it has come.
 *
 * @param share of the connections that go this way
 * @param trail the rules that it met
 * @param lists the lists of {@code -m recent} that it was put into
 * @param kept whether a client that comes back goes this way again, whatever the rules say
 * @param remarks what was not understood on the way
 * @param end how it ended
 */
public record Journey(
    WalkedPacket packet,
    double share,
    @Nullable Trail trail,
    List<String> lists,
    boolean kept,
    Set<String> remarks,
    End end) {
  /** How a way ended. */
  public enum End {
    /** Not at all, so far. */
    GOES_ON,
    DROPPED,
    REJECTED
  }

  /** Rules that were met, the last one first; ways that part share what was before. */
  public record Trail(@Nullable Trail before, WalkStep step) {}

  /** The start of a way. */
  public static Journey of(WalkedPacket packet) {
    return new Journey(packet, 1, null, List.of(), false, Set.of(), End.GOES_ON);
  }

  /** Whether it has not ended. */
  public boolean goesOn() {
    return end == End.GOES_ON;
  }

  /** The same with the packet changed. */
  public Journey with(WalkedPacket changed) {
    return new Journey(changed, share, trail, lists, kept, remarks, end);
  }

  /** The part of it that goes some way in {@code chance} of all cases. */
  public Journey part(double chance) {
    return new Journey(packet, share * chance, trail, lists, kept, remarks, end);
  }

  /** One rule further. */
  public Journey met(WalkStep step) {
    return at(new Trail(trail, step));
  }

  /** The same with another trail. */
  public Journey at(@Nullable Trail other) {
    return new Journey(packet, share, other, lists, kept, remarks, end);
  }

  /** The same, put into lists of {@code -m recent}. */
  public Journey listed(List<String> names) {
    List<String> all = new ArrayList<>(lists);
    all.addAll(names);
    return new Journey(packet, share, trail, all, kept, remarks, end);
  }

  /** The same with a remark. */
  public Journey remarked(String remark) {
    Set<String> all = new LinkedHashSet<>(remarks);
    all.add(remark);
    return new Journey(packet, share, trail, lists, kept, all, end);
  }

  /** The same for a client that stays with it. */
  public Journey keeping() {
    return new Journey(packet, share, trail, lists, true, remarks, end);
  }

  /** Its end: without an answer. */
  public Journey dropped() {
    return ended(End.DROPPED);
  }

  /** Its end: refused with an answer. */
  public Journey rejected() {
    return ended(End.REJECTED);
  }

  /** Its end. */
  private Journey ended(End how) {
    return new Journey(packet, share, trail, lists, kept, remarks, how);
  }

  /** The rules that it met, in order. */
  public List<WalkStep> steps() {
    List<WalkStep> steps = new ArrayList<>();
    for (Trail each = trail; each != null; each = each.before) {
      steps.addFirst(each.step);
    }
    return steps;
  }
}
