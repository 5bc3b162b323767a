package dev.portolan.core.brain;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What an operator says of a node, beside what the cluster knows of it.
 *
 * @param localMode how packets of the node's own pods are told
 * @param clusterCidrs where pods live, for {@link LocalMode#CLUSTER_CIDR}
 * @param podInterface the bridge, or the start of interface names, that pods are behind
 * @param nodePortAddresses on which of the node's addresses nodePorts are served
 * @param families the families that are served at all
 * @param nodeIps addresses to use for the node in place of those that the cluster knows
 */
public record NodeSettings(
    LocalMode localMode,
    List<Cidr> clusterCidrs,
    String podInterface,
    NodePortChoice nodePortAddresses,
    Set<IpFamily> families,
    List<Ip> nodeIps,
    boolean masqueradeAll) {
  /** Both families. */
  public static final Set<IpFamily> BOTH = Set.of(IpFamily.values());

  /** Pods are told by the node's own pod CIDRs, nodePorts are served on its primary addresses. */
  public static final NodeSettings DEFAULT =
      new NodeSettings(
          LocalMode.NODE_CIDR, List.of(), "", NodePortChoice.PRIMARY, BOTH, List.of(), false);

  /** How packets of the node's own pods are told. */
  public enum LocalMode {
    CLUSTER_CIDR("ClusterCIDR"),
    NODE_CIDR("NodeCIDR"),
    BRIDGE_INTERFACE("BridgeInterface"),
    INTERFACE_NAME_PREFIX("InterfaceNamePrefix");

    private final String label;

    LocalMode(String label) {
      this.label = label;
    }

    /** The mode as the configuration writes it. */
    @Override
    public String toString() {
      return label;
    }
  }

  /** The addresses asked for nodePorts: the node's primary ones, ranges, or both. */
  public record NodePortChoice(boolean primary, List<Cidr> ranges) {
    /** The node's primary addresses. */
    public static final NodePortChoice PRIMARY = new NodePortChoice(true, List.of());

    public NodePortChoice {
      ranges = List.copyOf(ranges);
    }

    /** Reads CIDRs and the words {@code primary}, {@code localhost} and {@code all}. */
    public static NodePortChoice parse(List<String> words) {
      boolean primary = false;
      List<Cidr> ranges = new ArrayList<>();
      for (String word : words) {
        switch (word) {
          case "primary" -> primary = true;
          case "localhost" -> ranges.addAll(List.of(Cidr.of("127.0.0.0/8"), Cidr.of("::1/128")));
          case "all" -> ranges.addAll(List.of(Cidr.of("0.0.0.0/0"), Cidr.of("::/0")));
          default -> ranges.add(Cidr.of(word));
        }
      }
      return new NodePortChoice(primary, ranges);
    }
  }

  public NodeSettings {
    clusterCidrs = List.copyOf(clusterCidrs);
    families = Set.copyOf(families);
    nodeIps = List.copyOf(nodeIps);
  }

  /** The same with nodePorts on other addresses. */
  public NodeSettings with(NodePortChoice addresses) {
    return new NodeSettings(
        localMode, clusterCidrs, podInterface, addresses, families, nodeIps, masqueradeAll);
  }

  /** The same with other families. */
  public NodeSettings with(Set<IpFamily> served) {
    return new NodeSettings(
        localMode, clusterCidrs, podInterface, nodePortAddresses, served, nodeIps, masqueradeAll);
  }
}
