package dev.portolan.brain;

import static dev.portolan.core.text.Quotes.quote;

import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.cluster.Warning;
import dev.portolan.core.net.Cidr;
import dev.portolan.core.net.Ip;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.core.node.Balancing.Kind;
import dev.portolan.core.node.ServiceAddress;
import dev.portolan.core.node.ServicePortName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one service: which of its addresses, ports and ranges count, and what is wrong with it. */
final class ServiceReader {
  private static final int LONGEST_AFFINITY_SECONDS = 86_400;

  private final Service service;
  private final Optional<String> proxyName;
  private final Kind usual;
  private final List<Warning> warnings = new ArrayList<>();
  private final Set<Service.Port> seenPorts = new HashSet<>();

  private ServiceReader(Service service, BrainSettings settings) {
    this.service = service;
    this.proxyName = settings.serviceProxyName();
    this.usual = settings.balancing();
  }

  /**
   * Reads {@code service} together with the slices that belong to it. Whether external IPs are
   * served is decided before.
   */
  static ServiceDraft read(Service service, List<SliceDraft> slices, BrainSettings settings) {
    return new ServiceReader(service, settings).draft(slices);
  }

  private ServiceDraft draft(List<SliceDraft> slices) {
    String skipped = whySkipped();
    if (!skipped.isEmpty()) {
      return new ServiceDraft(service, 0, List.of(), skipped, distinctWarnings());
    }
    List<Addresses> addresses = new ArrayList<>(IpFamily.ALL.size());
    for (Ip clusterIp : clusterIps()) {
      addresses.add(addresses(clusterIp));
    }
    List<Service.Port> ports = ports();
    int affinity = affinitySeconds();
    BalancingRule balancing = BalancingRule.read(service, usual, affinity > 0, this::warn);
    List<SliceDraft> own = service.labelledHeadless() ? List.of() : slices;
    for (SliceDraft slice : own) {
      warnings.addAll(slice.warnings());
    }
    List<ServiceDraft.Port> read = new ArrayList<>(addresses.size() * ports.size());
    for (Addresses family : addresses) {
      for (Service.Port port : ports) {
        Frontend frontend =
            new Frontend(
                new ServicePortName(service.name(), port.name(), port.protocol()),
                ServiceAddress.list(
                    family.clusterIp,
                    port.port(),
                    family.externalIps,
                    family.loadBalancerIps,
                    port.nodePort()),
                family.sourceRanges,
                service.internalTrafficPolicy(),
                externalPolicy(),
                affinity,
                balancing);
        ServiceDraft.Port drafted = PortReader.read(frontend, own);
        if (!drafted.mismatch().isEmpty()) {
          warn("spec.ports", drafted.mismatch());
        }
        read.add(drafted);
      }
    }
    return new ServiceDraft(
        service, healthCheckNodePort(), List.copyOf(read), "", distinctWarnings());
  }

  private List<Warning> distinctWarnings() {
    return warnings.isEmpty() ? List.of() : List.copyOf(new LinkedHashSet<>(warnings));
  }

  private String whySkipped() {
    if (!InputRules.isLabel(service.name().namespace())) {
      warn(
          "metadata.namespace",
          quote(service.name().namespace())
              + " "
              + InputRules.notLabel(service.name().namespace())
              + "; the service is ignored");
      return "its namespace is not a valid name";
    }
    if (!InputRules.isLabel(service.name().name())) {
      warn(
          "metadata.name",
          quote(service.name().name())
              + " "
              + InputRules.notLabel(service.name().name())
              + "; the service is ignored");
      return "its name is not valid";
    }
    if (!service.isFor(proxyName)) {
      return service.proxyName().isPresent()
          ? "its label " + Service.PROXY_NAME_LABEL + " gives it to another proxy"
          : "it has no label " + Service.PROXY_NAME_LABEL + "=" + proxyName.orElse("");
    }
    if (service.type() == ServiceType.EXTERNAL_NAME) {
      return "it is of type ExternalName";
    }
    if (service.clusterIp(0) != null) {
      return "";
    }
    String first = service.clusterIps().isEmpty() ? "" : service.clusterIps().getFirst();
    if (first.equals("None")) {
      return "it is headless (spec.clusterIP is None)";
    }
    return first.isEmpty() ? "it has no cluster IP (spec.clusterIP is empty)" : "";
  }

  /** The cluster IP of each family, in the order of the object: the first family is the primary. */
  private List<Ip> clusterIps() {
    List<Ip> found = new ArrayList<>(IpFamily.ALL.size());
    for (int i = 0; i < service.clusterIps().size(); i++) {
      Ip written = service.clusterIp(i);
      Ip ip =
          written == null
              ? address("spec.clusterIPs", i, service.clusterIps().get(i), true)
              : allowed("spec.clusterIPs", i, written, true);
      if (ip == null) {
        continue;
      }
      List<IpFamily> families = service.ipFamilies();
      if (!families.isEmpty() && (i >= families.size() || families.get(i) != ip.family())) {
        warn(
            "spec.clusterIPs[" + i + "]",
            ip + " does not fit spec.ipFamilies " + families + "; ignored");
      } else if (hasOne(found, ip.family())) {
        warn(
            "spec.clusterIPs[" + i + "]", ip + " is a second " + ip.family() + " address; ignored");
      } else {
        found.add(ip);
      }
    }
    return found;
  }

  private static boolean hasOne(List<Ip> addresses, IpFamily family) {
    for (Ip address : addresses) {
      if (address.family() == family) {
        return true;
      }
    }
    return false;
  }

  /** The addresses of one family, and the sources that may use those of load balancers. */
  private record Addresses(
      Ip clusterIp, List<Ip> externalIps, List<Ip> loadBalancerIps, List<Cidr> sourceRanges) {}

  private Addresses addresses(Ip clusterIp) {
    IpFamily family = clusterIp.family();
    if (service.ingress().isEmpty() && service.externalIps().isEmpty()) {
      return new Addresses(clusterIp, List.of(), List.of(), sourceRanges(family));
    }
    Set<Ip> taken = new HashSet<>(Set.of(clusterIp));
    List<Ip> loadBalancerIps = new ArrayList<>();
    for (int i = 0; i < service.ingress().size(); i++) {
      Service.Ingress ingress = service.ingress().get(i);
      if (ingress.vip() && !ingress.ip().isEmpty()) {
        Ip ip = address("status.loadBalancer.ingress", i, ingress.ip(), false);
        if (ip != null && ip.family() == family && taken.add(ip)) {
          loadBalancerIps.add(ip);
        }
      }
    }
    List<Ip> externalIps = new ArrayList<>();
    for (int i = 0; i < service.externalIps().size(); i++) {
      Ip ip = address("spec.externalIPs", i, service.externalIps().get(i), true);
      if (ip != null && ip.family() == family && taken.add(ip)) {
        externalIps.add(ip);
      }
    }
    boolean unreadable =
        !service.sourceRanges().isEmpty()
            && service.sourceRanges().stream().allMatch(text -> Cidr.parse(text.strip()).isEmpty());
    if (unreadable && !loadBalancerIps.isEmpty()) {
      warn(
          "spec.loadBalancerSourceRanges",
          "has no valid range; the load-balancer IPs are not served");
      loadBalancerIps.clear();
    }
    return new Addresses(clusterIp, externalIps, loadBalancerIps, sourceRanges(family));
  }

  private List<Cidr> sourceRanges(IpFamily family) {
    List<Cidr> ranges = new ArrayList<>();
    for (int i = 0; i < service.sourceRanges().size(); i++) {
      String text = service.sourceRanges().get(i).strip();
      Cidr range = Cidr.parse(text).orElse(null);
      if (range == null) {
        warn(
            "spec.loadBalancerSourceRanges[" + i + "]",
            quote(text) + " is not a CIDR such as 10.0.0.0/8; ignored");
      } else if (range.family() == family) {
        if (range.isEverything()) {
          return List.of();
        }
        ranges.add(range);
      }
    }
    return ranges.isEmpty() ? List.of() : ranges.stream().distinct().toList();
  }

  private List<Service.Port> ports() {
    List<Service.Port> all = service.ports();
    List<Service.Port> good = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      Service.Port port = all.get(i);
      Protocol protocol = port.protocol();
      if (!port.name().isEmpty() && !InputRules.isLabel(port.name())) {
        warnPort(
            i,
            "name",
            quote(port.name()) + " " + InputRules.notLabel(port.name()) + "; the port is ignored");
      } else if (!InputRules.isPort(port.port())) {
        warnPort(i, "port", port.port() + " is not between 1 and 65535; the port is ignored");
      } else if (isSecond(port.name(), protocol, 0, 0)) {
        warnPort(i, "name", quote(port.name()) + " is a duplicate; the port is ignored");
      } else if (isSecond("", protocol, port.port(), 0)) {
        warnPort(i, "port", port.port() + "/" + protocol + " is a duplicate; the port is ignored");
      } else {
        good.add(withNodePort(port, i));
      }
    }
    return good;
  }

  /** Whether an earlier port of the service has the same in these respects. */
  private boolean isSecond(String name, Protocol protocol, int port, int nodePort) {
    return service.ports().size() > 1
        && !seenPorts.add(new Service.Port(name, protocol, port, nodePort));
  }

  private Service.Port withNodePort(Service.Port port, int index) {
    int nodePort = port.nodePort();
    if (nodePort != 0 && !InputRules.isPort(nodePort)) {
      warnPort(index, "nodePort", nodePort + " is not between 1 and 65535; no nodePort");
    } else if (nodePort != 0 && isSecond("", port.protocol(), 0, nodePort)) {
      warnPort(
          index, "nodePort", nodePort + "/" + port.protocol() + " is a duplicate; no nodePort");
    } else {
      return port;
    }
    return new Service.Port(port.name(), port.protocol(), port.port(), 0, port.targetPort());
  }

  private TrafficPolicy externalPolicy() {
    boolean applies =
        service.type() == ServiceType.LOAD_BALANCER
            || service.type() == ServiceType.NODE_PORT
            || !service.externalIps().isEmpty();
    return applies ? service.externalTrafficPolicy() : TrafficPolicy.CLUSTER;
  }

  private int affinitySeconds() {
    if (service.affinitySeconds().isEmpty()) {
      return 0;
    }
    int seconds = service.affinitySeconds().getAsInt();
    if (seconds > 0 && seconds <= LONGEST_AFFINITY_SECONDS) {
      return seconds;
    }
    warn(
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
        seconds
            + " is not between 1 and "
            + LONGEST_AFFINITY_SECONDS
            + "; taken as "
            + Service.DEFAULT_AFFINITY_SECONDS);
    return Service.DEFAULT_AFFINITY_SECONDS;
  }

  private int healthCheckNodePort() {
    int port = service.healthCheckNodePort();
    if (service.type() != ServiceType.LOAD_BALANCER
        || service.externalTrafficPolicy() != TrafficPolicy.LOCAL
        || port == 0) {
      return 0;
    }
    if (!InputRules.isPort(port)) {
      warn("spec.healthCheckNodePort", port + " is not between 1 and 65535; no health check");
      return 0;
    }
    return port;
  }

  private @Nullable Ip address(String list, int index, String text, boolean own) {
    Ip ip = Ip.parse(text).orElse(null);
    if (ip == null) {
      warn(list + "[" + index + "]", quote(text) + " is not an IP address; ignored");
      return null;
    }
    return allowed(list, index, ip, own);
  }

  private @Nullable Ip allowed(String list, int index, Ip ip, boolean own) {
    if (ip.isLoopback() || ip.isMulticast() || ip.isUnspecified() || (own && ip.isLinkLocal())) {
      warn(list + "[" + index + "]", ip + " is not allowed for a service; ignored");
      return null;
    }
    return ip;
  }

  private void warnPort(int index, String part, String text) {
    warn("spec.ports[" + index + "]." + part, text);
  }

  private void warn(String field, String text) {
    warnings.add(new Warning(service.ref(), field, text));
  }
}
