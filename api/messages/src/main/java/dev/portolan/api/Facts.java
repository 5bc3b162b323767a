package dev.portolan.api;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.api.localv1.LocalDetector;
import dev.portolan.api.localv1.NodeFacts;
import dev.portolan.api.localv1.NodePortAddresses;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What a backend has to know of its node, from and to its message. */
final class Facts {
  /** What may stand in a rule without quotes. */
  private static final Pattern INTERFACE = Pattern.compile("[!-~&&[^\"'\\\\`;]]*");

  private Facts() {}

  static NodeFacts write(dev.portolan.core.node.NodeFacts facts) {
    return NodeFacts.newBuilder()
        .setName(facts.name())
        .setKnown(facts.known())
        .setIPv4(facts.families().contains(IpFamily.IPV4))
        .setIPv6(facts.families().contains(IpFamily.IPV6))
        .addAllPrimaryIPs(facts.primaryIps().stream().map(Ip::toString).toList())
        .addAllAddresses(facts.addresses().stream().map(Ip::toString).toList())
        .setZone(facts.zone())
        .addAllPodCIDRs(texts(facts.podCidrs()))
        .setNodePortsV4(write(facts.nodePortsV4()))
        .setNodePortsV6(write(facts.nodePortsV6()))
        .setDetectorV4(write(facts.detectorV4()))
        .setDetectorV6(write(facts.detectorV6()))
        .addAllServiceCIDRs(texts(facts.serviceCidrs()))
        .setEligible(facts.eligible())
        .setMasqueradeAll(facts.masqueradeAll())
        .build();
  }

  private static NodePortAddresses write(dev.portolan.core.node.NodePortAddresses addresses) {
    return NodePortAddresses.newBuilder()
        .setAll(addresses.all())
        .addAllRanges(texts(addresses.ranges()))
        .build();
  }

  private static LocalDetector write(dev.portolan.core.node.LocalDetector detector) {
    LocalDetector.Builder message = LocalDetector.newBuilder();
    switch (detector) {
      case dev.portolan.core.node.LocalDetector.SourceRange(Cidr range) ->
          message.setSourceRange(range.toString());
      case dev.portolan.core.node.LocalDetector.Interface(String name) ->
          message.setInterface(name);
      case dev.portolan.core.node.LocalDetector.InterfacePrefix(String prefix) ->
          message.setInterfacePrefix(prefix);
      case dev.portolan.core.node.LocalDetector.Undetected() -> {}
    }
    return message.build();
  }

  private static List<String> texts(List<Cidr> ranges) {
    return ranges.stream().map(Cidr::toString).toList();
  }

  static dev.portolan.core.node.NodeFacts read(NodeFacts message, FieldPath place)
      throws WireException {
    Set<IpFamily> families = EnumSet.noneOf(IpFamily.class);
    if (message.getIPv4()) {
      families.add(IpFamily.IPV4);
    }
    if (message.getIPv6()) {
      families.add(IpFamily.IPV6);
    }
    return new dev.portolan.core.node.NodeFacts(
        place.name("Name", message.getName()),
        message.getKnown(),
        families,
        place.ips("PrimaryIPs", message.getPrimaryIPsList()),
        place.ips("Addresses", message.getAddressesList()),
        message.getZone(),
        place.cidrs("PodCIDRs", message.getPodCIDRsList()),
        nodePorts("NodePortsV4.Ranges", message.getNodePortsV4(), IpFamily.IPV4, place),
        nodePorts("NodePortsV6.Ranges", message.getNodePortsV6(), IpFamily.IPV6, place),
        detector("DetectorV4", message.getDetectorV4(), IpFamily.IPV4, place),
        detector("DetectorV6", message.getDetectorV6(), IpFamily.IPV6, place),
        place.cidrs("ServiceCIDRs", message.getServiceCIDRsList()),
        message.getEligible(),
        message.getMasqueradeAll());
  }

  private static dev.portolan.core.node.NodePortAddresses nodePorts(
      String field, NodePortAddresses message, IpFamily family, FieldPath place)
      throws WireException {
    return new dev.portolan.core.node.NodePortAddresses(
        message.getAll(), place.cidrs(field, message.getRangesList(), family));
  }

  private static dev.portolan.core.node.LocalDetector detector(
      String field, LocalDetector message, IpFamily family, FieldPath place) throws WireException {
    return switch (message.getByCase()) {
      case SOURCERANGE ->
          new dev.portolan.core.node.LocalDetector.SourceRange(
              place.cidrs(field, List.of(message.getSourceRange()), family).getFirst());
      case INTERFACE ->
          new dev.portolan.core.node.LocalDetector.Interface(
              interfaceName(field, message.getInterface(), place));
      case INTERFACEPREFIX ->
          new dev.portolan.core.node.LocalDetector.InterfacePrefix(
              interfaceName(field, message.getInterfacePrefix(), place));
      case BY_NOT_SET -> new dev.portolan.core.node.LocalDetector.Undetected();
    };
  }

  private static String interfaceName(String field, String name, FieldPath place)
      throws WireException {
    if (!INTERFACE.matcher(name).matches()) {
      throw place.wrong(field, quote(name) + " is not a valid interface name");
    }
    return name;
  }
}
