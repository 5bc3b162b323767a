package dev.portolan.walk.iptables;

import dev.portolan.walk.WalkedPacket;
import java.util.List;

/**
 * A rule that was read.
 *
 * @param number its place in the chain, from 1
 * @param text as iptables-save prints it, without the chain
 * @param lists the lists of {@code -m recent} that it puts the packet's source into
 * @param unknown the words of it that were not understood; empty if all were
 */
record IptablesRule(
    int number,
    String text,
    List<RuleMatch> matches,
    RuleTarget target,
    RuleSubject subject,
    List<String> lists,
    String unknown) {
  IptablesRule {
    matches = List.copyOf(matches);
    lists = List.copyOf(lists);
  }

  /** How probable it is that {@code packet} fulfils all conditions that were understood. */
  double chance(WalkedPacket packet) {
    double chance = 1;
    for (RuleMatch match : matches) {
      chance *= match.chance(packet);
      if (chance == 0) {
        return 0;
      }
    }
    return chance;
  }
}
