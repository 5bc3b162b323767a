package dev.portolan.analyze.addresses;

import dev.portolan.analyze.AddressBook;
import dev.portolan.analyze.AddressBook.Range;
import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Others;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** The ranges that nodes take the addresses of Pods from. */
public final class NodeRanges implements Check {
  private static final String FIELD = "spec.podCIDRs";

  private static final KnownMistake NO_RANGE =
      KnownMistake.warning("P0601", "a node has no pod CIDR, unlike others")
          .seen(
              "Pods may not start there; with detectLocalMode NodeCIDR all traffic of Pods is"
                  + " masqueraded or taken as foreign")
          .remedy(
              "see whether the controllers that allocate CIDRs have any left"
                  + " (--cluster-cidr, --node-cidr-mask-size)")
          .because(
              """
              Other nodes have spec.podCIDRs, so the cluster allocates them, and this node got none: \
              the range may be used up, or the node is new. Many network plugins then cannot start \
              Pods there. A proxy with detectLocalMode NodeCIDR cannot tell the node's own Pods from \
              other clients.\
              """);

  private static final KnownMistake OVERLAP =
      KnownMistake.error("P0602", "two nodes have overlapping pod CIDRs")
          .seen("packets to Pods reach the wrong node; replies get lost")
          .remedy("drain one of the nodes, delete its Node, and let it join again")
          .because(
              """
              Each node needs addresses of its own for its Pods, because routes lead to nodes by \
              these ranges. Where two overlap, two Pods may have the same address, and connections \
              to one reach the other, or nothing.\
              """);

  private static final KnownMistake IN_SERVICE_RANGE =
      KnownMistake.error("P0603", "a pod CIDR overlaps a ServiceCIDR")
          .seen("some Pods cannot be reached, or are taken for services")
          .remedy("use ranges that do not overlap: --cluster-cidr and --service-cluster-ip-range")
          .because(
              """
              An address must be either a Pod's or a service's. Where the ranges overlap, a new \
              service may get the address of a Pod, whose clients are then sent to the service; and \
              rules that drop connections to unused cluster IPs hit Pods.\
              """);

  private static final KnownMistake NODE_IN_RANGE =
      KnownMistake.error("P0605", "a node's address lies in a ServiceCIDR")
          .seen("the node cannot be reached, as soon as a service gets that address")
          .remedy("use another range for services, or renumber the nodes")
          .because(
              """
              The range of cluster IPs contains the address of a node. Connections to unused \
              addresses of the range may be dropped, and a service may get this very address; then \
              the kubelet and the API server behind it cannot be reached any more.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(NO_RANGE, OVERLAP, IN_SERVICE_RANGE, NODE_IN_RANGE);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    List<Node> bare = survey.nodes().stream().filter(node -> node.podCidrs().isEmpty()).toList();
    if (!bare.isEmpty() && bare.size() < survey.nodes().size()) {
      findings.accept(
          NO_RANGE.in(
              bare.getFirst().ref(), FIELD, "has no pod CIDR" + Others.like(bare, survey.nodes())));
    }
    AddressBook book = survey.addresses();
    overlaps(book, findings);
    book.nodes()
        .forEach((ip, node) ->
            AddressBook.in(book.serviceRanges(), ip)
                .ifPresent(range ->
                    findings.accept(
                        NODE_IN_RANGE.in(
                            node,
                            "status.addresses",
                            ip + " lies in " + range.cidr() + " of " + range.owner()))));
  }

  private static void overlaps(AddressBook book, Consumer<ClusterFinding> findings) {
    for (Range pods : book.podRanges()) {
      book.serviceRanges().stream()
          .filter(pods::overlaps)
          .findFirst()
          .ifPresent(services ->
              findings.accept(
                  IN_SERVICE_RANGE.in(
                      pods.owner(),
                      FIELD,
                      pods.cidr() + " overlaps " + services.cidr() + " of " + services.owner())));
    }
    List<Range> sorted = new ArrayList<>(book.podRanges());
    sorted.sort(Comparator.comparing(Range::cidr));
    // A prefix that contains others stands before them, so only the last such one need be kept.
    Range open = null;
    for (Range range : sorted) {
      if (open != null && open.overlaps(range)) {
        if (!open.owner().equals(range.owner())) {
          findings.accept(
              OVERLAP.in(
                  range.owner(),
                  FIELD,
                  range.cidr() + " overlaps " + open.cidr() + " of " + open.owner()));
        }
      } else {
        open = range;
      }
    }
  }
}
