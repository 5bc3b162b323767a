package dev.portolan.compare.decisions;

import dev.portolan.core.node.Verdict;
import dev.portolan.core.text.Tree;
import java.util.List;

/**
 * What becomes of one kind of traffic on some nodes, before and after; the verdicts may be equal
 * where only the endpoints differ.
 *
 * @param endpointsBefore how many endpoints it is spread over, which may differ between the nodes
 */
public record VerdictChange(
    Verdict before, Verdict after, Span endpointsBefore, Span endpointsAfter, NodeSet nodes) {
  /** From the smallest to the largest of some numbers. */
  public record Span(int least, int most) implements Tree.Shown {
    Span with(int number) {
      return new Span(Math.min(least, number), Math.max(most, number));
    }

    @Override
    public Object shown() {
      return List.of(least, most);
    }

    /** {@code 2}, {@code 1 or 2}, {@code 1 to 6}. */
    @Override
    public String toString() {
      return least == most
          ? Integer.toString(least)
          : least + (most == least + 1 ? " or " : " to ") + most;
    }
  }

  /** Whether connections fail that did not. */
  public boolean breaks() {
    return before == Verdict.FORWARD && after != Verdict.FORWARD;
  }

  /** Whether connections succeed that did not. */
  public boolean mends() {
    return before != Verdict.FORWARD && after == Verdict.FORWARD;
  }
}
