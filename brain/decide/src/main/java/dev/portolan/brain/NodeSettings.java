package dev.portolan.brain;

import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an operator says of a node, beside what the cluster knows of it.
 *
 * @param localMode how packets of the node's own pods are recognised
 * @param clusterCidrs where pods live, for {@link LocalMode#CLUSTER_CIDR}
 * @param podInterface the bridge, or the start of interface names, that pods are behind
 * @param nodePortAddresses on which of the node's addresses nodePorts are served
 * @param families the families that may be served at all
 * @param familyPolicy which of these are served, given the node's addresses
 * @param nodeIps addresses to use for the node in place of those that the cluster knows
 */
public record NodeSettings(
    LocalMode localMode,
    List<Cidr> clusterCidrs,
    String podInterface,
    NodePortChoice nodePortAddresses,
    Set<IpFamily> families,
    FamilyPolicy familyPolicy,
    List<Ip> nodeIps,
    boolean masqueradeAll) {
  /**
   * Pods are recognised by the node's own pod CIDRs, nodePorts are served on its primary addresses.
   */
  public static final NodeSettings DEFAULT =
      new NodeSettings(
          LocalMode.NODE_CIDR,
          List.of(),
          "",
          NodePortChoice.PRIMARY,
          IpFamily.ALL,
          FamilyPolicy.BOTH,
          List.of(),
          false);

  /** How packets of the node's own pods are recognised. */
  public enum LocalMode {
    CLUSTER_CIDR("ClusterCIDR"),
    NODE_CIDR("NodeCIDR"),
    BRIDGE_INTERFACE("BridgeInterface"),
    INTERFACE_NAME_PREFIX("InterfaceNamePrefix");

    private final String label;

    LocalMode(String label) {
      this.label = label;
    }

    /** The mode of that name. */
    public static Optional<LocalMode> parse(String word) {
      return Arrays.stream(values()).filter(mode -> mode.label.equals(word)).findFirst();
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

  /** Settings that start as these are. */
  public Builder change() {
    return new Builder(this);
  }

  /** The same with nodePorts on other addresses. */
  public NodeSettings with(NodePortChoice addresses) {
    return change().nodePortAddresses(addresses).build();
  }

  /** The same with exactly these families, whatever addresses the node has. */
  public NodeSettings with(Set<IpFamily> served) {
    return change().families(served).familyPolicy(FamilyPolicy.BOTH).build();
  }

  /** Collects settings. */
  public static final class Builder {
    private LocalMode localMode;
    private List<Cidr> clusterCidrs;
    private String podInterface;
    private NodePortChoice nodePortAddresses;
    private Set<IpFamily> families;
    private FamilyPolicy familyPolicy;
    private List<Ip> nodeIps;
    private boolean masqueradeAll;

    private Builder(NodeSettings from) {
      localMode = from.localMode;
      clusterCidrs = from.clusterCidrs;
      podInterface = from.podInterface;
      nodePortAddresses = from.nodePortAddresses;
      families = from.families;
      familyPolicy = from.familyPolicy;
      nodeIps = from.nodeIps;
      masqueradeAll = from.masqueradeAll;
    }

    /** How packets of the node's own pods are recognised. */
    public Builder localMode(LocalMode mode) {
      localMode = mode;
      return this;
    }

    /** Where pods live. */
    public Builder clusterCidrs(List<Cidr> ranges) {
      clusterCidrs = ranges;
      return this;
    }

    /** What pods are behind. */
    public Builder podInterface(String name) {
      podInterface = name;
      return this;
    }

    /** Where nodePorts are served. */
    public Builder nodePortAddresses(NodePortChoice addresses) {
      nodePortAddresses = addresses;
      return this;
    }

    /** The families that may be served. */
    public Builder families(Set<IpFamily> possible) {
      families = possible;
      return this;
    }

    /** Which of the families are served. */
    public Builder familyPolicy(FamilyPolicy policy) {
      familyPolicy = policy;
      return this;
    }

    /** Addresses in place of those that the cluster knows. */
    public Builder nodeIps(List<Ip> ips) {
      nodeIps = ips;
      return this;
    }

    /** Whether all traffic to cluster IPs is masqueraded. */
    public Builder masqueradeAll(boolean all) {
      masqueradeAll = all;
      return this;
    }

    /** The settings. */
    public NodeSettings build() {
      return new NodeSettings(
          localMode,
          clusterCidrs,
          podInterface,
          nodePortAddresses,
          families,
          familyPolicy,
          nodeIps,
          masqueradeAll);
    }
  }
}
