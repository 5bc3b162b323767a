package dev.portolan.walk.iptables;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Conditions whose answer is not in the packet alone: chance, lists of {@code -m recent}, sets of
 * ipset, marks of connections.
 */
final class StatefulMatches {
  private final AddressSets sets;
  private final Consumer<RuleMatch> add;
  private final List<Boolean> looksUp = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private boolean stores;
  private String mode = "";
  private boolean invertedMode;
  private double share = -1;
  private boolean inverted;
  private boolean ofConnection;

  StatefulMatches(AddressSets sets, Consumer<RuleMatch> add) {
    this.sets = sets;
    this.add = add;
  }

  /** Says that marks that follow are those of connections. */
  void ofConnection(boolean value) {
    ofConnection = value;
  }

  /** A condition on the mark of the packet, or of its connection. */
  void mark(boolean not, PacketMark mark, List<RuleMatch> matches) {
    boolean connection = ofConnection;
    matches.add(
        RuleMatch.of(
            not, packet -> mark.isIn(connection ? packet.connectionMark() : packet.mark())));
  }

  /** The lists that the rule puts sources into. */
  List<String> lists() {
    return stores ? names : List.of();
  }

  /** Matches that draw at random; they come last, so that they draw only if all others match. */
  List<RuleMatch> random() {
    List<RuleMatch> all = new ArrayList<>();
    for (boolean not : looksUp) {
      List<String> looked = List.copyOf(names);
      all.add(RuleMatch.of(not, packet -> looked.contains(packet.recalled())));
    }
    if (share >= 0) {
      all.add(RuleMatch.random(inverted, share));
    }
    return all;
  }

  /** Reads one option with its values; returns whether it is understood. */
  boolean read(String option, boolean not, Iterator<String> values) {
    switch (option) {
      case "--mode" -> {
        mode = MatchReader.value(values);
        invertedMode = not;
        return mode.equals("random") || mode.equals("nth");
      }
      case "--probability" -> chance(not, Double.parseDouble(MatchReader.value(values)));
      case "--every" -> chance(not, 1.0 / Integer.parseInt(MatchReader.value(values)));
      case "--packet" -> MatchReader.value(values);
      case "--name" -> names.add(MatchReader.value(values));
      case "--set" -> stores = true;
      case "--rcheck", "--update", "--remove" -> looksUp.add(not);
      case "--seconds", "--mask" -> MatchReader.value(values);
      case "--reap", "--rsource" -> {}
      case "--match-set" -> set(not, values);
      case "--return-nomatch" -> {}
      default -> {
        return false;
      }
    }
    return true;
  }

  private void chance(boolean not, double value) {
    share = value;
    inverted = not || invertedMode;
  }

  private void set(boolean not, Iterator<String> values) {
    AddressSet set = sets.sets().get(MatchReader.value(values));
    if (set == null) {
      throw new IllegalArgumentException("no such set");
    }
    List<String> sides = List.of(MatchReader.value(values).split(",", -1));
    add.accept(RuleMatch.of(not, packet -> set.contains(packet, sides)));
  }
}
