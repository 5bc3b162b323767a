package dev.portolan.server;

import dev.portolan.api.localv1.Set;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.List;

/**
 * The sets that a client wants.
 *
 * @param named whether the client named them, as KPNG's do not
 */
record Sets(java.util.Set<Set> sets, boolean named) {
  /** Those that {@code request} names, all {@code known}; or {@code usual} where it names none. */
  static Sets of(
      List<Set> request, java.util.Set<Set> usual, java.util.Set<Set> known, String method) {
    if (request.isEmpty()) {
      return new Sets(usual, false);
    }
    for (Set set : request) {
      if (!known.contains(set)) {
        throw Status.INVALID_ARGUMENT
            .withDescription(
                method + " has no set " + set + "; ask for some of " + EnumSet.copyOf(known))
            .asRuntimeException();
      }
    }
    return new Sets(EnumSet.copyOf(request), true);
  }
}
