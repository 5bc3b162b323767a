package dev.portolan.brain;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.brain.NodeSettings.NodePortChoice;
import dev.portolan.core.cluster.ClusterImage;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.ObjectRef;
import dev.portolan.core.cluster.ServiceCidr;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.node.LocalDetector;
import dev.portolan.core.node.NodeFacts;
import dev.portolan.core.node.NodePortAddresses;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads one node: its addresses, and how the operator's settings apply to it. */
final class NodeReader {
  private final NodeSettings settings;
  private final List<Warning> warnings = new ArrayList<>();

  private NodeReader(NodeSettings settings) {
    this.settings = settings;
  }

  /** What was read, and what is wrong with it. */
  record Reading(NodeFacts facts, List<Warning> warnings) {}

  /** Reads the node {@code name}; {@code object} is null where the cluster does not know it. */
  static Reading read(
      String name, @Nullable Node object, NodeSettings settings, ClusterImage cluster) {
    NodeReader reader = new NodeReader(settings);
    NodeFacts facts = reader.facts(name, object, cluster);
    return new Reading(facts, List.copyOf(reader.warnings));
  }

  private NodeFacts facts(String name, @Nullable Node object, ClusterImage cluster) {
    Node node = object == null ? Node.named(name) : object;
    List<Ip> internal = ips(node, "InternalIP", node.internalIps());
    List<Ip> external = ips(node, "ExternalIP", node.externalIps());
    List<Ip> addresses = new ArrayList<>(settings.nodeIps());
    addresses.addAll(internal);
    addresses.addAll(external);
    Map<IpFamily, Ip> primary = new EnumMap<>(IpFamily.class);
    List<Ip> primaryIps = new ArrayList<>();
    for (Ip ip : addresses) {
      if (primary.putIfAbsent(ip.family(), ip) == null) {
        primaryIps.add(ip);
      }
    }
    List<Cidr> podCidrs = cidrs(node.ref(), "spec.podCIDRs", node.podCidrs());
    return new NodeFacts(
        name,
        object != null,
        families(object, primaryIps),
        primaryIps,
        addresses.stream().distinct().toList(),
        node.zone(),
        podCidrs,
        nodePorts(IpFamily.IPV4, primaryIps),
        nodePorts(IpFamily.IPV6, primaryIps),
        detector(IpFamily.IPV4, podCidrs),
        detector(IpFamily.IPV6, podCidrs),
        serviceCidrs(cluster),
        object != null && !object.leaving(),
        settings.masqueradeAll());
  }

  private Set<IpFamily> families(@Nullable Node object, List<Ip> primaryIps) {
    FamilyPolicy policy = settings.familyPolicy();
    if (object != null && policy.isBrokenBy(primaryIps)) {
      warnings.add(
          new Warning(
              object.ref(),
              "status.addresses",
              "has no address of one family, though ipFamilyPolicy is " + policy));
    }
    Set<IpFamily> families = new HashSet<>(policy.served(primaryIps));
    families.retainAll(settings.families());
    return families;
  }

  /**
   * A family for which no range was given is served on all addresses, unless the primary address
   * was asked for: then a node without one serves it on none.
   */
  private NodePortAddresses nodePorts(IpFamily family, List<Ip> primaryIps) {
    NodePortChoice choice = settings.nodePortAddresses();
    List<Cidr> ranges = new ArrayList<>();
    for (Cidr range : choice.ranges()) {
      if (range.family() == family) {
        if (range.isEverything()) {
          return NodePortAddresses.ALL;
        }
        ranges.add(range);
      }
    }
    if (ranges.isEmpty() && !choice.primary()) {
      return NodePortAddresses.ALL;
    }
    if (choice.primary()) {
      primaryIps.stream()
          .filter(ip -> ip.family() == family && !ip.isLoopback())
          .map(Cidr::only)
          .forEach(ranges::add);
    }
    return new NodePortAddresses(false, ranges.stream().distinct().toList());
  }

  private LocalDetector detector(IpFamily family, List<Cidr> podCidrs) {
    return switch (settings.localMode()) {
      case CLUSTER_CIDR -> firstOf(family, settings.clusterCidrs());
      case NODE_CIDR -> firstOf(family, podCidrs);
      case BRIDGE_INTERFACE -> new LocalDetector.Interface(settings.podInterface());
      case INTERFACE_NAME_PREFIX -> new LocalDetector.InterfacePrefix(settings.podInterface());
    };
  }

  private static LocalDetector firstOf(IpFamily family, List<Cidr> ranges) {
    return ranges.stream()
        .filter(range -> range.family() == family)
        .findFirst()
        .<LocalDetector>map(LocalDetector.SourceRange::new)
        .orElseGet(LocalDetector.Undetected::new);
  }

  private List<Cidr> serviceCidrs(ClusterImage cluster) {
    TreeSet<Cidr> union = new TreeSet<>();
    for (Map.Entry<String, ServiceCidr> entry : cluster.serviceCidrs()) {
      ServiceCidr object = entry.getValue();
      union.addAll(cidrs(object.ref(), "spec.cidrs", object.cidrs()));
    }
    return List.copyOf(union);
  }

  private List<Ip> ips(Node node, String type, List<String> texts) {
    List<Ip> ips = new ArrayList<>();
    for (String text : texts) {
      Ip.parse(text)
          .ifPresentOrElse(
              ips::add,
              () ->
                  warnings.add(
                      new Warning(
                          node.ref(),
                          "status.addresses",
                          quote(text) + " of type " + type + " is not an IP address; ignored")));
    }
    return ips;
  }

  private List<Cidr> cidrs(ObjectRef object, String field, List<String> texts) {
    List<Cidr> cidrs = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String path = field + "[" + i + "]";
      String text = texts.get(i);
      Cidr.parse(text)
          .ifPresentOrElse(
              cidrs::add,
              () ->
                  warnings.add(
                      new Warning(
                          object,
                          path,
                          quote(text) + " is not a CIDR such as 10.0.0.0/8; ignored")));
    }
    return cidrs;
  }
}
