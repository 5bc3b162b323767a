package dev.portolan.backend.iptables;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Endpoint;
import dev.portolan.lab.Actor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Walks packets through rules that are only text. Where a rule leaves it to chance, both ways are
 * walked. It knows the matches and targets that we write, and no others.
 */
final class TextWalker {
  private final Map<String, Map<String, List<String>>> tables;

  TextWalker(String text) {
    this.tables = Saved.inOrder(text);
  }

  /** How a walk through a table ended. */
  enum End {
    GOES_ON,
    SENT,
    ACCEPTED,
    REJECTED,
    DROPPED
  }

  /**
   * A packet at some point of its way.
   *
   * @param from the interface through which it came; empty for one of the node itself
   * @param state what conntrack says of it
   */
  record Walker(
      Ip source,
      Ip destination,
      int port,
      Protocol protocol,
      String from,
      String state,
      int mark,
      Optional<Endpoint> sentTo,
      boolean masqueraded) {
    Walker marked(int value) {
      return new Walker(
          source, destination, port, protocol, from, state, value, sentTo, masqueraded);
    }

    Walker sent(Endpoint to) {
      return new Walker(
          source,
          to.address(),
          to.port(),
          protocol,
          from,
          state,
          mark,
          Optional.of(to),
          masqueraded);
    }

    Walker masquerade() {
      return new Walker(source, destination, port, protocol, from, state, mark, sentTo, true);
    }

    Walker in(String other) {
      return new Walker(
          source, destination, port, protocol, from, other, mark, sentTo, masqueraded);
    }
  }

  /** A packet, and how its walk through a table ended. */
  record Arrival(Walker walker, End end) {}

  /** All ways of a packet through one of the kernel's own chains. */
  List<Arrival> pass(String table, String chain, Walker walker) {
    List<Arrival> arrivals = new ArrayList<>();
    walk(table, chain, 0, walker, arrivals, new ArrayList<>());
    return arrivals;
  }

  private record Frame(String chain, int next) {}

  private void walk(
      String table,
      String chain,
      int from,
      Walker walker,
      List<Arrival> arrivals,
      List<Frame> callers) {
    List<String> rules = tables.getOrDefault(table, Map.of()).getOrDefault(chain, List.of());
    Walker now = walker;
    for (int i = from; i < rules.size(); i++) {
      Rule rule = Rule.parse(rules.get(i));
      if (!rule.matches(now)) {
        continue;
      }
      if (rule.isChance) {
        // The way on which it does not match.
        walk(table, chain, i + 1, now, arrivals, callers);
      }
      switch (rule.target) {
        case "" -> {}
        case "MARK" -> now = now.marked(rule.mark(now.mark));
        case "RETURN" -> {
          up(table, now, arrivals, callers);
          return;
        }
        case "ACCEPT", "REJECT", "DROP" -> {
          arrivals.add(
              new Arrival(
                  now,
                  switch (rule.target) {
                    case "ACCEPT" -> End.ACCEPTED;
                    case "REJECT" -> End.REJECTED;
                    default -> End.DROPPED;
                  }));
          return;
        }
        case "MASQUERADE" -> {
          arrivals.add(new Arrival(now.masquerade(), End.SENT));
          return;
        }
        case "DNAT" -> {
          arrivals.add(new Arrival(now.sent(rule.endpoint()), End.SENT));
          return;
        }
        default -> {
          List<Frame> deeper = new ArrayList<>(callers);
          deeper.add(new Frame(chain, i + 1));
          walk(table, rule.target, 0, now, arrivals, deeper);
          return;
        }
      }
    }
    up(table, now, arrivals, callers);
  }

  private void up(String table, Walker walker, List<Arrival> arrivals, List<Frame> callers) {
    if (callers.isEmpty()) {
      arrivals.add(new Arrival(walker, End.GOES_ON));
      return;
    }
    Frame caller = callers.getLast();
    walk(
        table, caller.chain, caller.next, walker, arrivals, callers.subList(0, callers.size() - 1));
  }

  /** A rule, read word by word. */
  private static final class Rule {
    private final List<Condition> conditions = new ArrayList<>();
    private String target = "";
    private String argument = "";
    private String option = "";
    private boolean isChance;

    private interface Condition {
      boolean holds(Walker walker);
    }

    static Rule parse(String text) {
      Rule rule = new Rule();
      Iterator<String> words = RuleWords.of(text).iterator();
      boolean not = false;
      while (words.hasNext()) {
        String word = words.next();
        if (word.equals("!")) {
          not = true;
          continue;
        }
        rule.read(word, not, words);
        not = false;
      }
      return rule;
    }

    private void read(String word, boolean not, Iterator<String> words) {
      switch (word) {
        case "-m", "--comment", "--name", "--seconds", "--mode" -> words.next();
        case "--random-fully", "--set" -> {}
        case "--probability", "--rcheck", "--reap" -> chance(word, words);
        case "-p" -> {
          Protocol protocol = Protocol.valueOf(words.next().toUpperCase(Locale.ROOT));
          add(not, walker -> walker.protocol == protocol);
        }
        case "-s" -> {
          Cidr range = range(words.next());
          add(not, walker -> range.contains(walker.source));
        }
        case "-d" -> {
          Cidr range = range(words.next());
          add(not, walker -> range.contains(walker.destination));
        }
        case "--dport" -> {
          int port = Integer.parseInt(words.next());
          add(not, walker -> walker.port == port);
        }
        case "-i" -> {
          String name = words.next();
          add(
              not,
              walker ->
                  name.endsWith("+")
                      ? walker.from.startsWith(name.substring(0, name.length() - 1))
                      : walker.from.equals(name));
        }
        case "--dst-type" -> local(words.next(), not, Walker::destination);
        case "--src-type" -> local(words.next(), not, Walker::source);
        case "--mark" -> {
          int mark = Integer.decode(words.next().split("/", 2)[0]);
          add(not, walker -> (walker.mark & mark) == mark);
        }
        case "--ctstate" -> {
          List<String> states = List.of(words.next().split(",", -1));
          add(not, walker -> states.contains(walker.state));
        }
        case "-j" -> target = words.next();
        case "--xor-mark", "--or-mark", "--to-destination" -> {
          option = word;
          argument = words.next();
        }
        default -> throw new IllegalStateException("the walker does not know " + word);
      }
    }

    private void chance(String word, Iterator<String> words) {
      isChance = true;
      if (word.equals("--probability")) {
        words.next();
      }
    }

    private void local(String type, boolean not, Function<Walker, Ip> end) {
      if (!type.equals("LOCAL")) {
        throw new IllegalStateException("the walker does not know addresses of type " + type);
      }
      add(not, walker -> Actor.isOfNode(end.apply(walker)) || end.apply(walker).isLoopback());
    }

    private void add(boolean not, Condition condition) {
      conditions.add(walker -> condition.holds(walker) != not);
    }

    private static Cidr range(String text) {
      return text.contains("/") ? Cidr.of(text) : Cidr.only(Ip.of(text));
    }

    boolean matches(Walker walker) {
      return conditions.stream().allMatch(condition -> condition.holds(walker));
    }

    int mark(int before) {
      int value = Integer.decode(argument);
      return option.equals("--xor-mark") ? before ^ value : before | value;
    }

    Endpoint endpoint() {
      int colon = argument.lastIndexOf(':');
      String address = argument.substring(0, colon).replace("[", "").replace("]", "");
      return new Endpoint(Ip.of(address), Integer.parseInt(argument.substring(colon + 1)), "");
    }
  }
}
