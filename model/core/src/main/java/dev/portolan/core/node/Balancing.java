package dev.portolan.core.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How new connections to a service port are spread over the endpoints of a pool.
 *
 * @param kind what decides on an endpoint
 * @param weights how much of the traffic endpoints get in proportion to the others; 1 for those
 *     that are not in it
 */
public record Balancing(Kind kind, Map<Endpoint, Integer> weights) {
  /** The largest weight of an endpoint. */
  public static final int LARGEST_WEIGHT = 100;

  /** Any endpoint, each as often as any other. */
  public static final Balancing RANDOM = new Balancing(Kind.RANDOM, Map.of());

  private static final Balancing MAGLEV = new Balancing(Kind.MAGLEV, Map.of());
  private static final Balancing MAGLEV_ADDRESS = new Balancing(Kind.MAGLEV_ADDRESS, Map.of());

  /** How many turns a list has at most, unless it has many endpoints. */
  private static final int MOST_TURNS = 100;

  private static final int TURNS_PER_ENDPOINT = 4;

  /** What decides on the endpoint of a new connection. */
  public enum Kind {
    /** Chance. */
    RANDOM("random"),
    /** A hash of the client's address and port, through a {@link MaglevTable}. */
    MAGLEV("maglev"),
    /** A hash of the client's address alone, so that a client has one endpoint. */
    MAGLEV_ADDRESS("maglev-address");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The kind of that name. */
    public static Optional<Kind> parse(String word) {
      return Arrays.stream(values()).filter(kind -> kind.label.equals(word)).findFirst();
    }

    /** Whether the client decides, and not chance. */
    public boolean hashes() {
      return this != RANDOM;
    }

    /** The kind as an annotation or a flag names it. */
    @Override
    public String toString() {
      return label;
    }
  }

  public Balancing {
    TreeMap<Endpoint, Integer> sorted = new TreeMap<>(weights);
    sorted.values().removeIf(weight -> weight == 1);
    if (sorted.values().stream().anyMatch(weight -> weight < 1 || weight > LARGEST_WEIGHT)) {
      throw new IllegalArgumentException("a weight is not from 1 to " + LARGEST_WEIGHT);
    }
    weights = sorted.isEmpty() ? Map.of() : Collections.unmodifiableMap(sorted);
  }

  /** The balancing of a kind without weights; always the same value. */
  public static Balancing of(Kind kind) {
    return switch (kind) {
      case RANDOM -> RANDOM;
      case MAGLEV -> MAGLEV;
      case MAGLEV_ADDRESS -> MAGLEV_ADDRESS;
    };
  }

  /** The balancing of a kind with weights; shared where all weigh 1. */
  public static Balancing of(Kind kind, Map<Endpoint, Integer> weights) {
    Balancing balancing = weights.isEmpty() ? of(kind) : new Balancing(kind, weights);
    return balancing.isWeighted() ? balancing : of(kind);
  }

  /** Whether some endpoint does not weigh 1. */
  public boolean isWeighted() {
    return !weights.isEmpty();
  }

  /** How much of the traffic an endpoint gets in proportion to the others. */
  public int weight(Endpoint endpoint) {
    return weights.getOrDefault(endpoint, 1);
  }

  /**
   * The same endpoints in the same order, each as often in a row as it has turns: drawing one of
   * these with equal probability follows the weights. Weights are divided by what they have in
   * common. Where they still make more than 100 turns, or more than four times the endpoints, they
   * are scaled down; every endpoint keeps at least one turn.
   */
  public List<Endpoint> turns(List<Endpoint> endpoints) {
    if (!isWeighted() || endpoints.size() < 2) {
      return endpoints;
    }
    int[] counts = counts(endpoints);
    List<Endpoint> turns = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      turns.addAll(Collections.nCopies(counts[i], endpoints.get(i)));
    }
    return List.copyOf(turns);
  }

  /** How many turns each of the endpoints has. */
  int[] counts(List<Endpoint> endpoints) {
    int[] counts = endpoints.stream().mapToInt(this::weight).toArray();
    int common = Arrays.stream(counts).reduce(0, Balancing::commonDivisor);
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] /= common;
      sum += counts[i];
    }
    long most = Math.max(MOST_TURNS, (long) TURNS_PER_ENDPOINT * counts.length);
    if (sum > most) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] = (int) Math.max(1, (counts[i] * most + sum / 2) / sum);
      }
    }
    return counts;
  }

  private static int commonDivisor(int a, int b) {
    return b == 0 ? a : commonDivisor(b, a % b);
  }

  /** The kind, followed by weights where there are any. */
  @Override
  public String toString() {
    return isWeighted() ? kind + " " + weights : kind.toString();
  }
}
