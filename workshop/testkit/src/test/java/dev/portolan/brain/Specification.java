package dev.portolan.brain;

import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * The choice of endpoints written down as kube-proxy's categorisation reads, step by step and
 * without any thought of speed: what {@link Selector} has to agree with.
 */
record Specification(
    List<Endpoint> cluster,
    List<Endpoint> local,
    Verdict internal,
    Verdict external,
    Verdict shortCircuit) {
  static Specification of(
      Frontend frontend, List<EndpointCandidate> all, String node, String zone) {
    List<Endpoint> cluster = new ArrayList<>();
    List<Endpoint> local = new ArrayList<>();
    boolean any = false;
    if (frontend.usesClusterEndpoints()) {
      String mode = mode(all, node, zone);
      for (EndpointCandidate candidate : all) {
        boolean available =
            switch (mode) {
              case "node" -> candidate.member().nodeHints().contains(node);
              case "zone" -> candidate.member().zoneHints().contains(zone);
              default -> true;
            };
        if (candidate.conditions().ready() && available) {
          cluster.add(candidate.endpoint());
        }
      }
      if (cluster.isEmpty()) {
        for (EndpointCandidate candidate : all) {
          if (candidate.conditions().serving() && candidate.conditions().terminating()) {
            cluster.add(candidate.endpoint());
          }
        }
      }
      any = !cluster.isEmpty();
    }
    if (frontend.usesLocalEndpoints()) {
      List<Endpoint> terminating = new ArrayList<>();
      for (EndpointCandidate candidate : all) {
        boolean here = candidate.endpoint().node().equals(node);
        if (candidate.conditions().ready()) {
          any = true;
          if (here) {
            local.add(candidate.endpoint());
          }
        } else if (candidate.conditions().serving() && candidate.conditions().terminating()) {
          any = true;
          if (here) {
            terminating.add(candidate.endpoint());
          }
        }
      }
      if (local.isEmpty()) {
        local = terminating;
      }
    }
    boolean external = frontend.isExternallyAccessible();
    return new Specification(
        cluster,
        local,
        verdict(any, frontend.internalPolicy() == TrafficPolicy.LOCAL ? local : cluster),
        external
            ? verdict(any, frontend.externalPolicy() == TrafficPolicy.LOCAL ? local : cluster)
            : Verdict.NONE,
        external ? verdict(any, cluster) : Verdict.NONE);
  }

  private static Verdict verdict(boolean any, List<Endpoint> list) {
    return !any ? Verdict.REJECT : list.isEmpty() ? Verdict.DROP : Verdict.FORWARD;
  }

  private static String mode(List<EndpointCandidate> all, String node, String zone) {
    List<EndpointCandidate> ready =
        all.stream().filter(candidate -> candidate.conditions().ready()).toList();
    if (ready.isEmpty()) {
      return "";
    }
    if (ready.stream().noneMatch(candidate -> candidate.member().nodeHints().isEmpty())
        && ready.stream().anyMatch(candidate -> candidate.member().nodeHints().contains(node))) {
      return "node";
    }
    if (ready.stream().noneMatch(candidate -> candidate.member().zoneHints().isEmpty())
        && ready.stream().anyMatch(candidate -> candidate.member().zoneHints().contains(zone))) {
      return "zone";
    }
    return "";
  }
}
