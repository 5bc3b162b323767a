package dev.portolan.explain;

import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.fate.Explanation.Step;
import dev.portolan.core.fate.KnownClient;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import java.util.Optional;

/**
 * A client, and what the node's rules can tell of it.
 *
 * @param label the client in words
 * @param client the client as it was asked for
 * @param known what its rules can tell
 */
record Origin(String label, Client client, KnownClient known, Step step) {
  /** Looks at a client as the node would at a packet of {@code family}. */
  static Origin of(Client client, IpFamily family, NodeFacts facts, ClusterImage cluster) {
    LocalDetector detector = facts.detector(family);
    ObjectRef node = ObjectRef.node(facts.name());
    return switch (client) {
      case Client.Pod() ->
          new Origin(
              "a pod of this node",
              client,
              new KnownClient(
                  !(detector instanceof LocalDetector.Undetected),
                  false,
                  true,
                  podRange(detector, family, facts)),
              recognition("the client is a pod of this node", family, facts));
      case Client.Host() -> {
        Optional<Ip> own = facts.primaryIp(family);
        boolean inRange = own.isPresent() && inRange(detector, own.get());
        yield new Origin(
            "the node itself",
            client,
            new KnownClient(inRange, true, true, own.map(Cidr::only)),
            Step.of(
                "the client is the node itself" + own.map(ip -> ", from " + ip).orElse(""),
                node,
                "status.addresses"));
      }
      case Client.External() ->
          outside(
              "an external client",
              client,
              Optional.empty(),
              "the client is outside: neither a pod of this node nor the node itself");
      case Client.Within(Cidr range) ->
          outside(
              "an external client in " + range,
              client,
              Optional.of(range),
              "the client is outside, with an address in " + range);
      case Client.At(Ip address) -> at(address, client, detector, facts);
      case Client.NamedPod named -> {
        PodAddresses pod = PodAddresses.find(named.name(), cluster);
        Ip address =
            pod.address(family)
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "the pod " + named.name() + " has no " + family + " address"));
        Origin origin = at(address, client, detector, facts);
        yield new Origin("pod " + named.name(), client, origin.known, origin.step);
      }
    };
  }

  private static Origin outside(
      String label, Client client, Optional<Cidr> range, String sentence) {
    return new Origin(label, client, KnownClient.outside(range), Step.of(sentence));
  }

  private static Origin at(Ip address, Client client, LocalDetector detector, NodeFacts facts) {
    boolean host = KnownClient.isHost(address, facts);
    boolean pod =
        switch (detector) {
          case LocalDetector.SourceRange(Cidr range) -> range.contains(address);
          case LocalDetector.Interface _, LocalDetector.InterfacePrefix _ ->
              !host && facts.podCidrs().stream().anyMatch(range -> range.contains(address));
          case LocalDetector.Undetected() -> false;
        };
    Step step =
        host
            ? Step.of(
                address + " is an address of the node itself",
                ObjectRef.node(facts.name()),
                "status.addresses")
            : pod
                ? recognition(address + " is a pod of this node", address.family(), facts)
                : Step.of(address + " is neither a pod of this node nor the node itself");
    return new Origin(address.toString(), client, KnownClient.at(address, pod, facts), step);
  }

  /**
   * That a client is recognized as a pod, or why not; it rests on the Node where the range is the
   * Node's own, and otherwise on a setting.
   */
  private static Step recognition(String who, IpFamily family, NodeFacts facts) {
    ObjectRef node = ObjectRef.node(facts.name());
    String field = "spec.podCIDRs";
    LocalDetector detector = facts.detector(family);
    String recognized = who + ", recognized by " + detector;
    return switch (detector) {
      case LocalDetector.SourceRange(Cidr range) ->
          facts.podCidrs().contains(range)
              ? Step.of(recognized, node, field)
              : Step.of(recognized + " (--cluster-cidr)");
      case LocalDetector.Interface _ -> Step.of(recognized + " (--pod-bridge-interface)");
      case LocalDetector.InterfacePrefix _ ->
          Step.of(recognized + " (--pod-interface-name-prefix)");
      case LocalDetector.Undetected() -> {
        String unknown =
            "nothing distinguishes "
                + family
                + " pods of this node from others: the client counts as coming from outside";
        yield facts.podCidrs().stream().anyMatch(range -> range.family() == family)
            ? Step.of(unknown + " (--cluster-cidr has no " + family + " range)")
            : Step.of(unknown, node, field);
      }
    };
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
