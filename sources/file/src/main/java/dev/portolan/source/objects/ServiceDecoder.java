package dev.portolan.source.objects;

import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceType;
import dev.portolan.core.cluster.TrafficPolicy;
import dev.portolan.core.net.IpFamily;
import dev.portolan.core.net.Protocol;
import dev.portolan.text.Field;
import java.util.ArrayList;
import java.util.List;

/** Reads a Service, with the defaults that the API server would have filled in. */
final class ServiceDecoder {
  private ServiceDecoder() {}

  /** The Service in {@code object}. */
  static Service decode(Field object) {
    Metadata metadata = new Metadata(object);
    Field spec = object.at("spec");
    Service.Builder service =
        Service.named(metadata.namespacedName().namespace(), metadata.name())
            .type(spec.at("type").choice(ObjectWords.TYPES, ServiceType.CLUSTER_IP))
            .clusterIps(clusterIps(spec))
            .ipFamilies(families(spec.at("ipFamilies")))
            .ports(ports(spec.at("ports")))
            .externalIps(spec.at("externalIPs").texts())
            .ingress(ingress(object.at("status").at("loadBalancer").at("ingress")))
            .sourceRanges(spec.at("loadBalancerSourceRanges").texts())
            .internalTrafficPolicy(policy(spec.at("internalTrafficPolicy")))
            .externalTrafficPolicy(policy(spec.at("externalTrafficPolicy")))
            .healthCheckNodePort(spec.at("healthCheckNodePort").number(0))
            .proxyName(metadata.ifLabelled(Service.PROXY_NAME_LABEL))
            .labelledHeadless(metadata.hasLabel(Service.HEADLESS_LABEL))
            .created(metadata.created())
            .metadata(metadata.all());
    int timeout =
        spec.at("sessionAffinityConfig")
            .at("clientIP")
            .at("timeoutSeconds")
            .number(Service.DEFAULT_AFFINITY_SECONDS);
    if (spec.at("sessionAffinity").choice(ObjectWords.AFFINITIES, false)) {
      service.affinitySeconds(timeout);
    }
    return service.build();
  }

  private static List<String> clusterIps(Field spec) {
    List<String> all = spec.at("clusterIPs").texts();
    String first = spec.at("clusterIP").text("");
    return !all.isEmpty() || first.isEmpty() ? all : List.of(first);
  }

  private static List<IpFamily> families(Field field) {
    return field.items().stream().map(family -> family.choice(ObjectWords.FAMILIES)).toList();
  }

  private static List<Service.Port> ports(Field field) {
    List<Service.Port> ports = new ArrayList<>();
    for (Field port : field.items()) {
      int number = port.at("port").number();
      Field target = port.at("targetPort");
      ports.add(
          new Service.Port(
              port.at("name").text(""),
              port.at("protocol").choice(ObjectWords.PROTOCOLS, Protocol.TCP),
              number,
              port.at("nodePort").number(0),
              target.isPresent() && !target.isInteger() ? 0 : target.number(number)));
    }
    return ports;
  }

  /** Load balancers that are known by a host name alone have no address to program. */
  private static List<Service.Ingress> ingress(Field field) {
    List<Service.Ingress> ingress = new ArrayList<>();
    for (Field entry : field.items()) {
      String ip = entry.at("ip").text("");
      boolean vip = entry.at("ipMode").choice(ObjectWords.IP_MODES, true);
      if (!ip.isEmpty()) {
        ingress.add(new Service.Ingress(ip, vip));
      }
    }
    return ingress;
  }

  private static TrafficPolicy policy(Field field) {
    return field.choice(ObjectWords.POLICIES, TrafficPolicy.CLUSTER);
  }
}
