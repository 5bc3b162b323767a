package dev.portolan.brain;

import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.node.Endpoint;
import java.util.Comparator;

/**
 * An endpoint that could be chosen, with all that the choice depends on.
 *
 * @param slice where it stands
 * @param index at which place in the slice
 */
public record EndpointCandidate(
    Endpoint endpoint, EndpointSlice.Member member, NamespacedName slice, int index) {
  /**
   * The order of addresses and ports. Of several candidates with one address and port the first
   * counts: one that stays before one that goes (a new pod may have got the address of an old one),
   * a ready one before one that is not, then the first by place.
   */
  static final Comparator<EndpointCandidate> ORDER = EndpointCandidate::compare;

  private static int compare(EndpointCandidate one, EndpointCandidate other) {
    int order = one.endpoint.address().compareTo(other.endpoint.address());
    if (order == 0) {
      order = Integer.compare(one.endpoint.port(), other.endpoint.port());
    }
    return order == 0 ? PREFERENCE.compare(one, other) : order;
  }

  private static final Comparator<EndpointCandidate> PREFERENCE =
      Comparator.comparing((EndpointCandidate candidate) -> candidate.conditions().terminating())
          .thenComparing(candidate -> !candidate.conditions().ready())
          .thenComparing(EndpointCandidate::slice)
          .thenComparingInt(EndpointCandidate::index);

  /** The endpoint's health. */
  public EndpointSlice.Conditions conditions() {
    return member.conditions();
  }

  boolean ready() {
    return conditions().ready();
  }

  boolean servingWhileTerminating() {
    return conditions().serving() && conditions().terminating();
  }
}
