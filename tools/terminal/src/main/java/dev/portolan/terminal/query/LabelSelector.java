package dev.portolan.terminal.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A label selector as kubectl's {@code -l} takes it: {@code a=b}, {@code a!=b}, {@code a in (b,c)},
 * {@code a notin (b)}, {@code a}, {@code !a}, with commas between; all must hold.
 */
public final class LabelSelector {
  private static final String KEY = "[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?";
  private static final String VALUE = "([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?";
  private static final Pattern EQUALS =
      Pattern.compile("\\s*(" + KEY + ")\\s*(==|=|!=)\\s*(" + VALUE + ")\\s*");
  private static final Pattern IN =
      Pattern.compile("\\s*(" + KEY + ")\\s+(in|notin)\\s*\\(([^()]*)\\)\\s*");
  private static final Pattern EXISTS = Pattern.compile("\\s*(!?)\\s*(" + KEY + ")\\s*");

  private final List<Requirement> requirements = new ArrayList<>();

  /** A label must, or must not, have one of some values; without values it is enough to exist. */
  private record Requirement(String key, boolean wanted, Set<String> values) {
    boolean holds(Map<String, String> labels) {
      String value = labels.get(key);
      boolean there = value != null && (values.isEmpty() || values.contains(value));
      return there == wanted;
    }
  }

  private LabelSelector() {}

  /**
   * Reads a selector.
   *
   * @throws IllegalArgumentException if it is not one, with a message for the user
   */
  public static LabelSelector parse(String text) {
    LabelSelector selector = new LabelSelector();
    for (String part : text.split(",(?![^()]*\\))", -1)) {
      selector.requirements.add(requirement(part));
    }
    return selector;
  }

  private static Requirement requirement(String part) {
    Matcher equals = EQUALS.matcher(part);
    if (equals.matches()) {
      return new Requirement(
          equals.group(1), !equals.group(3).equals("!="), Set.of(equals.group(4)));
    }
    Matcher in = IN.matcher(part);
    if (in.matches()) {
      Set<String> values = Set.copyOf(Arrays.asList(in.group(4).strip().split("\\s*,\\s*", -1)));
      return new Requirement(in.group(1), in.group(3).equals("in"), values);
    }
    Matcher exists = EXISTS.matcher(part);
    if (exists.matches()) {
      return new Requirement(exists.group(2), exists.group(1).isEmpty(), Set.of());
    }
    throw new IllegalArgumentException(
        "'" + part.strip() + "' is not a selector; write key=value, key!=value or 'key in (a,b)'");
  }

  /** Whether {@code labels} are selected. */
  public boolean matches(Map<String, String> labels) {
    return requirements.stream().allMatch(requirement -> requirement.holds(labels));
  }
}
