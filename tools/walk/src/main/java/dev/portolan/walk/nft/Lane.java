package dev.portolan.walk.nft;

import dev.portolan.walk.nft.table.Waypoint;
import org.jspecify.annotations.Nullable;

/**
 * One of the ways that a packet may take.
 *
 * @param share how likely it is, between 0 and 1
 * @param supposing the set that is supposed to remember the client; such a way is followed only to
 *     see where a client goes that comes back
 */
record Lane(PacketState state, double share, Trail trail, @Nullable String supposing) {
  @SuppressWarnings("ReferenceEquality") // only saves an object
  Lane with(PacketState newState) {
    return newState == state ? this : new Lane(newState, share, trail, supposing);
  }

  Lane part(double part) {
    return new Lane(state, share * part, trail, supposing);
  }

  Lane plus(double more) {
    return new Lane(state, share + more, trail, supposing);
  }

  Lane suppose(String set) {
    return new Lane(state, 0, trail, set);
  }

  Lane after(Waypoint at, Object effect) {
    return new Lane(state, share, new Trail(trail, at, effect), supposing);
  }
}
