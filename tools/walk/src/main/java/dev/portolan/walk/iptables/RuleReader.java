package dev.portolan.walk.iptables;

import dev.portolan.backend.iptables.RuleWords;
import dev.portolan.walk.NodeNetwork;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads a rule word by word. */
final class RuleReader {
  private final NodeNetwork network;
  private final AddressSets sets;

  /** For rules of a host with these addresses and these sets of ipset. */
  RuleReader(NodeNetwork network, AddressSets sets) {
    this.network = network;
    this.sets = sets;
  }

  /** The rule {@code text}, at place {@code number} of its chain. */
  IptablesRule read(int number, String text) {
    MatchReader matches = new MatchReader(network, sets);
    RuleTarget target = new RuleTarget.Pass();
    List<String> words = RuleWords.of(text);
    List<String> unknown = new ArrayList<>();
    boolean not = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("!")) {
        not = true;
        continue;
      }
      if (word.equals("-j") || word.equals("-g")) {
        List<String> rest = words.subList(i + 1, words.size());
        target = target(word, rest, unknown);
        break;
      }
      int end = i + 1;
      while (end < words.size() && !isOption(words.get(end))) {
        end++;
      }
      if (!understood(matches, word, not, words.subList(i + 1, end))) {
        unknown.add((not ? "! " : "") + String.join(" ", words.subList(i, end)));
      }
      i = end - 1;
      not = false;
    }
    return new IptablesRule(
        number,
        text,
        matches.matches(),
        target,
        matches.subject(),
        matches.lists(),
        String.join(" ", unknown));
  }

  private static boolean isOption(String word) {
    return word.equals("!") || (word.length() > 1 && word.charAt(0) == '-');
  }

  private static boolean understood(
      MatchReader matches, String option, boolean not, List<String> values) {
    try {
      Iterator<String> rest = values.iterator();
      return matches.read(option, not, rest) && !rest.hasNext();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static RuleTarget target(String option, List<String> words, List<String> unknown) {
    RuleTarget target;
    try {
      target =
          words.isEmpty()
              ? new RuleTarget.Unknown()
              : TargetReader.read(option.equals("-g"), words.getFirst(), words);
    } catch (IllegalArgumentException e) {
      target = new RuleTarget.Unknown();
    }
    if (target instanceof RuleTarget.Unknown) {
      unknown.add(option + " " + String.join(" ", words));
    }
    return target;
  }
}
