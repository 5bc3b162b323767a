package dev.portolan.backend.windows;

import dev.portolan.backend.windows.hcn.HnsVersion;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.Balancing;
import dev.portolan.core.node.Endpoint;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.ServicePort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parts of a decision that HNS load balancers cannot do. */
final class WindowsShortfall {
  /** The timeout of a service that does not set one; reporting that each time would not help. */
  private static final int USUAL_AFFINITY_SECONDS = 10800;

  private WindowsShortfall() {}

  /** In sentences without a full stop; empty where everything is done. */
  static Optional<String> of(
      ServicePort port, HnsVersion version, Set<IpFamily> families, NodeFacts facts) {
    List<String> sentences = new ArrayList<>();
    if (!families.contains(port.family())) {
      sentences.add(
          "addresses of "
              + port.family()
              + " are not served, because HNS "
              + version
              + " or the network cannot do two families");
    }
    if (!port.sourceRanges().isEmpty()) {
      sentences.add(
          "HNS cannot look at who a client is, and its source ranges are not applied; a network"
              + " policy or the cloud's load balancer can");
    }
    if (port.nodePort() != 0 && !facts.nodePorts(port.family()).all()) {
      sentences.add(
          "HNS serves nodePorts on every address of the node, and not only on "
              + facts.nodePorts(port.family()));
    }
    affinity(port, version).ifPresent(sentences::add);
    balancing(port, version).ifPresent(sentences::add);
    targetPorts(port).ifPresent(sentences::add);
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", sentences));
  }

  private static Optional<String> affinity(ServicePort port, HnsVersion version) {
    if (port.affinitySeconds() == 0) {
      return Optional.empty();
    }
    if (!version.hasAffinity()) {
      return Optional.of(
          "HNS " + version + " has no session affinity, which takes Windows Server 2022");
    }
    return port.affinitySeconds() == USUAL_AFFINITY_SECONDS
        ? Optional.empty()
        : Optional.of(
            "session affinity has no time limit in HNS, and "
                + port.affinitySeconds()
                + " s are not applied");
  }

  private static Optional<String> balancing(ServicePort port, HnsVersion version) {
    Balancing balancing = port.balancing();
    boolean done =
        !balancing.kind().hashes()
            || (balancing.kind() == Balancing.Kind.MAGLEV_ADDRESS && version.hasAffinity());
    if (!done) {
      return Optional.of(
          "HNS cannot do balancing " + balancing.kind() + ", and spreads connections its own way");
    }
    return balancing.weights().isEmpty()
        ? Optional.empty()
        : Optional.of("HNS has no weights, and every endpoint gets the same share");
  }

  private static Optional<String> targetPorts(ServicePort port) {
    List<Endpoint> chosen = WindowsDataplane.withOnePort(port.cluster());
    List<String> others =
        port.cluster().stream()
            .filter(endpoint -> endpoint.port() != chosen.getFirst().port())
            .map(Endpoint::toString)
            .toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "a load balancer of HNS has one port for all endpoints, which is "
                + chosen.getFirst().port()
                + " here; no connections for "
                + String.join(", ", others.stream().limit(3).toList())
                + (others.size() > 3 ? " and " + (others.size() - 3) + " more" : ""));
  }
}
