package dev.portolan.walk.iptables;

import dev.portolan.walk.WalkedPacket;

/** One condition of a rule. */
@FunctionalInterface
interface RuleMatch {
  /**
   * How probable it is that {@code packet} fulfils it; between 0 and 1 where it draws at random.
   */
  double chance(WalkedPacket packet);

  /** A condition that holds or does not. */
  interface Certain {
    /** Whether {@code packet} fulfils it. */
    boolean holds(WalkedPacket packet);
  }

  /** One that holds or does not, perhaps inverted. */
  static RuleMatch of(boolean not, Certain condition) {
    return packet -> condition.holds(packet) != not ? 1 : 0;
  }

  /** A match with a probability, perhaps inverted. */
  static RuleMatch random(boolean not, double share) {
    double chance = not ? 1 - share : share;
    return packet -> chance;
  }
}
