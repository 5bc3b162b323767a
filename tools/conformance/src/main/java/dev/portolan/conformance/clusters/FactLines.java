package dev.portolan.conformance.clusters;

import static dev.portolan.conformance.clusters.StateLines.joined;

import dev.portolan.core.node.NodeFacts;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes the node facts, one per line. */
public final class FactLines {
  /** The facts, in their order. */
  public static final Set<String> KEYS =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(
              List.of(
                  "known",
                  "families",
                  "primary",
                  "addresses",
                  "zone",
                  "podCIDRs",
                  "nodePortsV4",
                  "nodePortsV6",
                  "detectorV4",
                  "detectorV6",
                  "serviceCIDRs",
                  "eligible",
                  "masqueradeAll")));

  private FactLines() {}

  /** All facts. */
  public static List<String> of(NodeFacts facts) {
    return KEYS.stream().map(key -> key + "=" + value(facts, key)).toList();
  }

  /** The facts that {@code expected} lines name. */
  public static List<String> of(NodeFacts facts, List<String> expected) {
    return expected.stream()
        .map(line -> line.substring(0, line.indexOf('=')))
        .map(key -> key + "=" + value(facts, key))
        .toList();
  }

  private static Object value(NodeFacts facts, String key) {
    return switch (key) {
      case "known" -> facts.known();
      case "families" -> joined(facts.families().stream().sorted().toList());
      case "primary" -> joined(facts.primaryIps());
      case "addresses" -> joined(facts.addresses());
      case "zone" -> facts.zone();
      case "podCIDRs" -> joined(facts.podCidrs());
      case "nodePortsV4" -> facts.nodePortsV4();
      case "nodePortsV6" -> facts.nodePortsV6();
      case "detectorV4" -> facts.detectorV4();
      case "detectorV6" -> facts.detectorV6();
      case "serviceCIDRs" -> joined(facts.serviceCidrs());
      case "eligible" -> facts.eligible();
      case "masqueradeAll" -> facts.masqueradeAll();
      default -> throw new IllegalArgumentException("no fact '" + key + "'");
    };
  }
}
