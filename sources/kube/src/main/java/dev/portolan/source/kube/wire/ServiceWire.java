package dev.portolan.source.kube.wire;

import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.source.objects.ObjectWords;
import java.util.ArrayList;
import java.util.List;

/** Decodes one Service. */
final class ServiceWire {
  private static final List<IpFamily> USUAL_FAMILIES = List.of(IpFamily.IPV4);

  private final WireReader in;
  private final List<String> clusterIps = new ArrayList<>(2);
  private final List<IpFamily> families = new ArrayList<>(2);
  private final List<Service.Port> ports = new ArrayList<>(2);
  private final List<String> externalIps = new ArrayList<>(0);
  private final List<String> sourceRanges = new ArrayList<>(0);
  private final List<Service.Ingress> ingress = new ArrayList<>(0);
  private String clusterIp = "";
  private ServiceType type = ServiceType.CLUSTER_IP;
  private TrafficPolicy internalPolicy = TrafficPolicy.CLUSTER;
  private TrafficPolicy externalPolicy = TrafficPolicy.CLUSTER;
  private int healthCheckNodePort;
  private boolean affinity;
  private int affinitySeconds = Service.DEFAULT_AFFINITY_SECONDS;

  private ServiceWire(WireReader in) {
    this.in = in;
  }

  /** Decodes the Service at {@code in}. */
  static Service decode(WireReader in, WireMeta meta) throws DecodeException {
    ServiceWire service = new ServiceWire(in);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> meta.read(in);
        default -> service.read();
      }
    }
    return service.build(meta).metadata(meta.all().ours()).build();
  }

  /** The same with every label and annotation. */
  static Service decodeWithMetadata(WireReader in, WireMeta meta) throws DecodeException {
    ServiceWire service = new ServiceWire(in);
    while (in.next()) {
      switch (in.field()) {
        case 1 -> meta.readAll(in);
        default -> service.read();
      }
    }
    return service.build(meta).metadata(meta.all()).build();
  }

  private void read() throws DecodeException {
    switch (in.field()) {
      case 2 -> spec();
      case 3 -> status();
      default -> {}
    }
  }

  private Service.Builder build(WireMeta meta) {
    if (clusterIps.isEmpty() && !clusterIp.isEmpty()) {
      clusterIps.add(clusterIp);
    }
    Service.Builder service =
        Service.named(meta.namespace(), meta.name())
            .type(type)
            .clusterIps(clusterIps)
            .ipFamilies(families.equals(USUAL_FAMILIES) ? USUAL_FAMILIES : families)
            .ports(ports)
            .externalIps(externalIps)
            .ingress(ingress)
            .sourceRanges(sourceRanges)
            .internalTrafficPolicy(internalPolicy)
            .externalTrafficPolicy(externalPolicy)
            .healthCheckNodePort(healthCheckNodePort)
            .proxyName(meta.ifLabelled(Service.PROXY_NAME_LABEL))
            .labelledHeadless(meta.hasLabel(Service.HEADLESS_LABEL))
            .created(meta.created());
    if (affinity) {
      service.affinitySeconds(affinitySeconds);
    }
    return service;
  }

  private void spec() throws DecodeException {
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> port();
        case 3 -> clusterIp = in.text();
        case 4 -> type = in.choice(ObjectWords.TYPES, ServiceType.CLUSTER_IP, "spec.type");
        case 5 -> externalIps.add(in.text());
        case 7 -> affinity = in.choice(ObjectWords.AFFINITIES, false, "spec.sessionAffinity");
        case 9 -> sourceRanges.add(in.name());
        case 11 -> externalPolicy = policy("spec.externalTrafficPolicy");
        case 12 -> healthCheckNodePort = in.number();
        case 14 -> affinityConfig();
        case 18 -> clusterIps.add(in.text());
        case 19 -> families.add(in.choice(ObjectWords.FAMILIES, IpFamily.IPV4, "spec.ipFamilies"));
        case 22 -> internalPolicy = policy("spec.internalTrafficPolicy");
        default -> {}
      }
    }
    in.leave(outer);
  }

  private TrafficPolicy policy(String path) throws DecodeException {
    return in.choice(ObjectWords.POLICIES, TrafficPolicy.CLUSTER, path);
  }

  private void port() throws DecodeException {
    String name = "";
    Protocol protocol = Protocol.TCP;
    int port = 0;
    int nodePort = 0;
    int targetPort = 0;
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> name = in.name();
        case 2 -> protocol = in.choice(ObjectWords.PROTOCOLS, Protocol.TCP, "spec.ports.protocol");
        case 3 -> port = in.number();
        case 4 -> targetPort = numberOrName();
        case 5 -> nodePort = in.number();
        default -> {}
      }
    }
    in.leave(outer);
    ports.add(new Service.Port(name, protocol, port, nodePort, targetPort));
  }

  /** The number in an IntOrString; 0 where it is a name. */
  private int numberOrName() throws DecodeException {
    boolean isName = false;
    int number = 0;
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> isName = in.number() != 0;
        case 2 -> number = in.number();
        default -> {}
      }
    }
    in.leave(outer);
    return isName ? 0 : number;
  }

  private void affinityConfig() throws DecodeException {
    int outer = in.enter();
    while (in.next()) {
      if (in.field() == 1) {
        int clientIp = in.enter();
        while (in.next()) {
          if (in.field() == 1) {
            affinitySeconds = in.number();
          }
        }
        in.leave(clientIp);
      }
    }
    in.leave(outer);
  }

  private void status() throws DecodeException {
    int outer = in.enter();
    while (in.next()) {
      if (in.field() == 1) {
        int balancer = in.enter();
        while (in.next()) {
          if (in.field() == 1) {
            ingress();
          }
        }
        in.leave(balancer);
      }
    }
    in.leave(outer);
  }

  /** Load balancers with only a host name have no address to program. */
  private void ingress() throws DecodeException {
    String ip = "";
    boolean vip = true;
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> ip = in.text();
        case 3 -> vip = in.choice(ObjectWords.IP_MODES, true, "status.loadBalancer.ingress.ipMode");
        default -> {}
      }
    }
    in.leave(outer);
    if (!ip.isEmpty()) {
      ingress.add(new Service.Ingress(ip, vip));
    }
  }
}
