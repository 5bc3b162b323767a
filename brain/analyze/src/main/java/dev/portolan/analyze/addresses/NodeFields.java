package dev.portolan.analyze.addresses;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.analyze.Check;
import dev.portolan.analyze.ClusterFinding;
import dev.portolan.analyze.KnownMistake;
import dev.portolan.analyze.Others;
import dev.portolan.analyze.Survey;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import java.util.List;
import java.util.function.Consumer;

/** Addresses and ranges of Nodes and ServiceCIDRs as they are written. */
public final class NodeFields implements Check {
  private static final KnownMistake INVALID =
      KnownMistake.warning("P0604", "an address or range that cannot be read")
          .seen("it is ignored")
          .remedy("correct it in the object, or in what writes the object")
          .because(
              """
              An address in the status of a Node, a pod CIDR of a Node or a range of a ServiceCIDR is \
              not an IP address or CIDR. It is ignored, so the node is served as if it did not have \
              it.\
              """);

  private static final KnownMistake NO_ADDRESS =
      KnownMistake.warning("P0606", "a node has no InternalIP")
          .seen("health checks and --nodeport-addresses primary do not work there")
          .remedy("see the kubelet's --node-ip, and the cloud controller manager")
          .because(
              """
              The status of the Node has no address of type InternalIP. The kubelet reports it, or, \
              with an external cloud provider, the cloud controller manager does, which may not run. \
              A proxy then does not know its primary address.\
              """);

  private static final KnownMistake SAME_ADDRESS =
      KnownMistake.error("P0607", "two nodes have one InternalIP")
          .seen("connections to one of the nodes reach the other")
          .remedy("delete the Node that is gone, or give the machines different addresses")
          .because(
              """
              Two Nodes report the same address. Often one is the leftover of a machine that came \
              back under another name. External traffic, health checks and routes to Pods by the \
              node's address reach only one of them.\
              """);

  @Override
  public List<KnownMistake> mistakes() {
    return List.of(INVALID, NO_ADDRESS, SAME_ADDRESS);
  }

  @Override
  public void look(Survey survey, Consumer<ClusterFinding> findings) {
    for (Node node : survey.nodes()) {
      for (String text : node.internalIps()) {
        Ip ip = Ip.parse(text).orElse(null);
        ObjectRef first = ip == null ? node.ref() : survey.addresses().node(ip);
        if (first != null && !first.equals(node.ref())) {
          findings.accept(
              SAME_ADDRESS.in(node.ref(), "status.addresses", ip + " is also " + first + "'s"));
        }
        address(node, text, findings);
      }
      node.externalIps().forEach(text -> address(node, text, findings));
      ranges(node.ref(), "spec.podCIDRs", node.podCidrs(), findings);
    }
    survey
        .cluster()
        .serviceCidrs()
        .forEach((name, cidr) -> ranges(cidr.ref(), "spec.cidrs", cidr.cidrs(), findings));
    List<Node> bare = survey.nodes().stream().filter(node -> node.internalIps().isEmpty()).toList();
    if (!bare.isEmpty() && bare.size() < survey.nodes().size()) {
      findings.accept(
          NO_ADDRESS.in(
              bare.getFirst().ref(),
              "status.addresses",
              "has no InternalIP" + Others.like(bare, survey.nodes())));
    }
  }

  private static void address(Node node, String text, Consumer<ClusterFinding> findings) {
    if (Ip.parse(text).isEmpty()) {
      findings.accept(
          INVALID.in(
              node.ref(), "status.addresses", quote(text) + " is not an IP address; ignored"));
    }
  }

  private static void ranges(
      ObjectRef object, String field, List<String> texts, Consumer<ClusterFinding> findings) {
    for (int i = 0; i < texts.size(); i++) {
      if (Cidr.parse(texts.get(i)).isEmpty()) {
        findings.accept(
            INVALID.in(
                object, field + "[" + i + "]", quote(texts.get(i)) + " is not a CIDR; ignored"));
      }
    }
  }
}
