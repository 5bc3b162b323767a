package dev.portolan.web.answer;

import dev.portolan.core.fate.Explanation;
import dev.portolan.core.node.Reason;
import dev.portolan.core.node.ServiceAddress;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** For which addresses of a service port each endpoint is used, and why not for the others. */
final class EndpointUses {
  private final Map<String, Map<Reason, Set<ServiceAddress.Kind>>> uses = new HashMap<>();

  /** Whether an endpoint is used at all, and what there is to say about that. */
  record Use(boolean used, String why) {}

  /** Reads them from the explanations of all addresses of a port. */
  EndpointUses(List<Explanation> explanations) {
    for (Explanation explanation : explanations) {
      explanation
          .destination()
          .flatMap(Explanation.Destination::kind)
          .ifPresent(kind -> {
            explanation
                .endpoints()
                .forEach(share -> add(share.endpoint().toString(), share.reason(), kind));
            explanation.leftOut().forEach(out -> add(out.label(), out.reason(), kind));
          });
    }
  }

  private void add(String endpoint, Reason reason, ServiceAddress.Kind kind) {
    uses.computeIfAbsent(endpoint, _ -> new TreeMap<>())
        .computeIfAbsent(reason, _ -> EnumSet.noneOf(ServiceAddress.Kind.class))
        .add(kind);
  }

  /** What is done with {@code endpoint}, written with its port. */
  Use of(String endpoint) {
    Map<Reason, Set<ServiceAddress.Kind>> reasons = uses.getOrDefault(endpoint, Map.of());
    boolean used = reasons.keySet().stream().anyMatch(Reason::in);
    if (reasons.size() == 1) {
      Reason only = reasons.keySet().iterator().next();
      return new Use(used, only == Reason.READY ? "" : only.sentence());
    }
    return new Use(
        used,
        reasons.entrySet().stream()
            .map(entry -> kinds(entry.getValue()) + ": " + entry.getKey().sentence())
            .collect(Collectors.joining("; ")));
  }

  private static String kinds(Set<ServiceAddress.Kind> kinds) {
    return kinds.stream().map(ServiceAddress.Kind::toString).collect(Collectors.joining(", "));
  }
}
