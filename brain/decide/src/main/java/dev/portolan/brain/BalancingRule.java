package dev.portolan.brain;

import static dev.portolan.core.cluster.ServiceAnnotation.BALANCING;
import static dev.portolan.core.cluster.ServiceAnnotation.WEIGHTS;
import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.cluster.Service;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Balancing.Kind;
import dev.portolan.core.node.Endpoint;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * How a service wants its ports balanced, before its endpoints are known.
 *
 * @param kind what decides on an endpoint
 * @param annotated whether the service says so itself; otherwise it is the operator's default
 * @param pods weights of endpoints by the name of what stands behind them
 * @param nodes weights of endpoints by their node
 * @param zones weights of endpoints by their zone
 */
public record BalancingRule(
    Kind kind,
    boolean annotated,
    Map<String, Integer> pods,
    Map<String, Integer> nodes,
    Map<String, Integer> zones) {
  /** The rules of services that ask for nothing, each once. */
  private static final Map<Kind, BalancingRule> PLAIN = new EnumMap<>(Kind.class);

  static {
    for (Kind kind : Kind.values()) {
      PLAIN.put(kind, new BalancingRule(kind, false, Map.of(), Map.of(), Map.of()));
    }
  }

  private static final String NODE = "node:";
  private static final String ZONE = "zone:";

  public BalancingRule {
    pods = Map.copyOf(pods);
    nodes = Map.copyOf(nodes);
    zones = Map.copyOf(zones);
  }

  /**
   * Reads the annotations of {@code service}. One that cannot be read is ignored, and {@code
   * warnings} gets its field and what is wrong with it.
   *
   * <p>With session affinity the kernel remembers the endpoint of each client, so a new client is
   * drawn an endpoint at random, whatever is asked for.
   *
   * @param usual the balancing of services that do not ask for one
   */
  static BalancingRule read(
      Service service, Kind usual, boolean affinity, BiConsumer<String, String> warnings) {
    String word = BALANCING.in(service.metadata()).strip();
    String weights = WEIGHTS.in(service.metadata()).strip();
    if (word.isEmpty() && weights.isEmpty()) {
      return Objects.requireNonNull(PLAIN.get(affinity ? Kind.RANDOM : usual));
    }
    Optional<Kind> asked = Kind.parse(word);
    if (!word.isEmpty() && asked.isEmpty()) {
      warnings.accept(
          BALANCING.field(),
          quote(word) + " is not random, maglev or maglev-address; taken as " + usual);
    }
    Kind kind = asked.orElse(usual);
    if (affinity && kind.hashes()) {
      if (asked.isPresent()) {
        warnings.accept(
            BALANCING.field(),
            kind
                + " cannot be combined with sessionAffinity ClientIP, which is kept; for one"
                + " endpoint per client on all nodes use maglev-address without session affinity");
      }
      kind = Kind.RANDOM;
    }
    Map<String, Integer> pods = new HashMap<>();
    Map<String, Integer> nodes = new HashMap<>();
    Map<String, Integer> zones = new HashMap<>();
    if (!weights.isEmpty()) {
      String fault = readWeights(weights, pods, nodes, zones);
      if (!fault.isEmpty()) {
        warnings.accept(WEIGHTS.field(), fault + "; all endpoints weigh the same");
        pods.clear();
        nodes.clear();
        zones.clear();
      }
    }
    return new BalancingRule(kind, asked.isPresent(), pods, nodes, zones);
  }

  /** Fills the maps with what {@code text} says; returns what is wrong with it, or nothing. */
  private static String readWeights(
      String text,
      Map<String, Integer> pods,
      Map<String, Integer> nodes,
      Map<String, Integer> zones) {
    for (String part : text.split(",", -1)) {
      String item = part.strip();
      int equals = item.indexOf('=');
      if (equals != item.lastIndexOf('=')) {
        return quote(item) + " has more than one '='; separate weights with commas";
      }
      String key = equals < 0 ? item : item.substring(0, equals).strip();
      boolean isNode = key.startsWith(NODE);
      boolean isZone = key.startsWith(ZONE);
      String name = isNode || isZone ? key.substring(NODE.length()).strip() : key;
      if (equals < 0 || name.isEmpty() || name.contains(":")) {
        return quote(item) + " is not POD=WEIGHT, node:NAME=WEIGHT or zone:NAME=WEIGHT";
      }
      int weight = weight(item.substring(equals + 1).strip());
      if (weight == 0) {
        return quote(item) + " has no weight from 1 to " + Balancing.LARGEST_WEIGHT;
      }
      Map<String, Integer> map = isNode ? nodes : isZone ? zones : pods;
      if (map.putIfAbsent(name, weight) != null) {
        return quote(key) + " has two weights";
      }
    }
    return "";
  }

  /** The weight that a text is, or 0. */
  private static int weight(String text) {
    if (!text.matches("[0-9]{1,3}")) {
      return 0;
    }
    int weight = Integer.parseInt(text);
    return weight <= Balancing.LARGEST_WEIGHT ? weight : 0;
  }

  /** The balancing among those of {@code candidates} that serve. */
  Balancing among(Collection<EndpointCandidate> candidates) {
    if (pods.isEmpty() && nodes.isEmpty() && zones.isEmpty()) {
      return Balancing.of(kind);
    }
    Map<Endpoint, Integer> weights = new HashMap<>();
    for (EndpointCandidate candidate : candidates) {
      if (candidate.ready() || candidate.conditions().serving()) {
        weights.put(candidate.endpoint(), weight(candidate));
      }
    }
    return Balancing.of(kind, weights);
  }

  /** The weight of a candidate: that of its pod before that of its node, and of its zone last. */
  private int weight(EndpointCandidate candidate) {
    String target = candidate.member().target();
    Integer pod = pods.get(target.substring(target.lastIndexOf('/') + 1));
    if (pod != null) {
      return pod;
    }
    Integer node = nodes.get(candidate.endpoint().node());
    return node != null ? node : zones.getOrDefault(candidate.member().zone(), 1);
  }
}
