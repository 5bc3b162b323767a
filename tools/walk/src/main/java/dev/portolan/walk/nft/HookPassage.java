package dev.portolan.walk.nft;

import dev.portolan.nftables.Hook;

/**
 * Where on its way a packet is.
 *
 * @param in the interface that it came through; empty where it did not come through one
 * @param out the interface that it leaves through; empty where that is not known yet, or none
 */
record HookPassage(Hook.Point point, String in, String out) {
  /** Whether destinations are changed here, rather than sources. */
  boolean changesDestinations() {
    return point == Hook.Point.PREROUTING || point == Hook.Point.OUTPUT;
  }
}
