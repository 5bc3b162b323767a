package dev.portolan.core.explain;

import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.explain.Explanation.Step;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import java.util.List;
import java.util.Optional;

/**
 * What the node's rules can tell of a client.
 *
 * @param pod whether the detector takes it for one of this node's pods
 * @param host whether its address is one of the node's own
 * @param detects whether there is a detector at all
 * @param range the addresses that it may have: one, or the pods' range; empty where it is unknown
 */
record Origin(
    String label, boolean pod, boolean host, boolean detects, Optional<Cidr> range, Step step) {
  /** Looks at a client as the node would at a packet of {@code family}. */
  static Origin of(Client client, IpFamily family, NodeFacts facts) {
    LocalDetector detector = facts.detector(family);
    boolean detects = !(detector instanceof LocalDetector.Undetected);
    ObjectRef node = ObjectRef.node(facts.name());
    return switch (client) {
      case Client.Pod() ->
          new Origin(
              "a pod of this node",
              detects,
              false,
              detects,
              podRange(detector, family, facts),
              detects
                  ? Step.of(
                      "the client is a pod of this node, recognized by " + detector,
                      node,
                      "spec.podCIDRs")
                  : Step.of(
                      "nothing distinguishes "
                          + family
                          + " pods of this node from others: the client counts as"
                          + " coming from outside",
                      node,
                      "spec.podCIDRs"));
      case Client.Host() -> {
        Optional<Ip> own = facts.primaryIp(family);
        boolean inRange = own.isPresent() && inRange(detector, own.get());
        yield new Origin(
            "the node itself",
            inRange,
            true,
            detects,
            own.map(Cidr::only),
            Step.of(
                "the client is the node itself" + own.map(ip -> ", from " + ip).orElse(""),
                node,
                "status.addresses"));
      }
      case Client.External() ->
          new Origin(
              "an external client",
              false,
              false,
              detects,
              Optional.empty(),
              Step.of("the client is outside: neither a pod of this node nor the node itself"));
      case Client.At(Ip address) -> at(address, detector, detects, facts, node);
    };
  }

  private static Origin at(
      Ip address, LocalDetector detector, boolean detects, NodeFacts facts, ObjectRef node) {
    boolean host = address.isLoopback() || facts.addresses().contains(address);
    boolean pod =
        switch (detector) {
          case LocalDetector.SourceRange(Cidr range) -> range.contains(address);
          case LocalDetector.Interface _, LocalDetector.InterfacePrefix _ ->
              !host && facts.podCidrs().stream().anyMatch(range -> range.contains(address));
          case LocalDetector.Undetected() -> false;
        };
    Step step =
        host
            ? Step.of(address + " is an address of the node itself", node, "status.addresses")
            : pod
                ? Step.of(
                    address + " is a pod of this node, recognized by " + detector,
                    node,
                    "spec.podCIDRs")
                : Step.of(address + " is neither a pod of this node nor the node itself");
    return new Origin(
        address.toString(), pod, host, detects, Optional.of(Cidr.only(address)), step);
  }

  /** Whether every address that the client may have lies in one of {@code ranges}. */
  boolean isWithin(List<Cidr> ranges) {
    return range.isPresent() && ranges.stream().anyMatch(allowed -> allowed.contains(range.get()));
  }

  private static boolean inRange(LocalDetector detector, Ip address) {
    return detector instanceof LocalDetector.SourceRange(Cidr range) && range.contains(address);
  }

  private static Optional<Cidr> podRange(LocalDetector detector, IpFamily family, NodeFacts facts) {
    return detector instanceof LocalDetector.SourceRange(Cidr range)
        ? Optional.of(range)
        : facts.podCidrs().stream().filter(range -> range.family() == family).findFirst();
  }
}
