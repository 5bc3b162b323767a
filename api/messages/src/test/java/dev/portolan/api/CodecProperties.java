package dev.portolan.api;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceCIDR;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.globalv1.Slice;
import dev.portolan.api.localv1.Endpoint;
import dev.portolan.api.localv1.NodeFacts;
import dev.portolan.api.localv1.Service;
import dev.portolan.api.localv1.Value;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.node.NodeImage;
import dev.portolan.core.node.NodeService;
import dev.portolan.core.node.Pool;
import dev.portolan.core.node.ServicePort;
import dev.portolan.core.node.Traffic;
import dev.portolan.testbase.ForAll;
import dev.portolan.testbase.Property;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds for every cluster. */
class CodecProperties {
  private static List<NodeService> services(NodeImage image) {
    List<NodeService> services = new ArrayList<>();
    image.services().flat().forEach((name, service) -> services.add(service));
    return services;
  }

  private static Service message(EncodedService service) throws WireException {
    return StreamValues.parse(service.set().message().getSet(), Service.parser());
  }

  private static List<Endpoint> endpoints(EncodedService service, String node)
      throws WireException {
    List<Endpoint> endpoints = new ArrayList<>();
    for (EncodedEndpoint endpoint : service.endpoints()) {
      endpoints.add(StreamValues.parse(endpoint.set(node).message().getSet(), Endpoint.parser()));
    }
    return endpoints;
  }

  @Property(tries = 300)
  void whatIsDecidedForANodeComesBack(@ForAll long seed) throws WireException {
    NodeImage image = new RandomObjects(seed).image("n1");
    Value facts = NodeMessages.factsItem(image.facts()).message().getSet();
    assertThat(facts.getRef().getPath()).isEqualTo("n1");
    assertThat(NodeMessages.facts(StreamValues.parse(facts, NodeFacts.parser())))
        .isEqualTo(image.facts());
    for (NodeService service : services(image)) {
      EncodedService encoded = EncodedService.of(service);
      assertThat(NodeMessages.service(message(encoded), List.of(), "n1")).isEqualTo(service);
      assertThat(Paths.service(encoded.path())).isEqualTo(service.name());
    }
  }

  @Property(tries = 300)
  void endpointsOfKpngSayWhatIsDecided(@ForAll long seed) throws WireException {
    for (NodeService service : services(new RandomObjects(seed).image("n1"))) {
      EncodedService encoded = EncodedService.of(service);
      List<String> paths = encoded.endpoints().stream().map(EncodedEndpoint::path).toList();
      assertThat(paths).isSorted().doesNotHaveDuplicates();
      List<Endpoint> endpoints = endpoints(encoded, "n1");
      assertThat(endpoints)
          .allMatch(e -> e.getScopes().getInternal() || e.getScopes().getExternal());
      assertThat(endpoints).allMatch(e -> e.getLocal() == e.getNode().equals("n1"));
      for (ServicePort port : service.ports()) {
        assertThat(reachable(endpoints, port, true))
            .isEqualTo(texts(port.endpoints(Traffic.INTERNAL)));
        if (port.isExternallyAccessible()) {
          assertThat(reachable(endpoints, port, false))
              .isEqualTo(texts(port.endpoints(Traffic.EXTERNAL)));
        }
      }
    }
  }

  private static Set<String> reachable(
      List<Endpoint> endpoints, ServicePort port, boolean internal) {
    return endpoints.stream()
        .filter(e -> internal ? e.getScopes().getInternal() : e.getScopes().getExternal())
        .flatMap(e ->
            e.getPortOverridesList().stream()
                .filter(override -> override.getName().equals(port.name().port()))
                .flatMap(override ->
                    switch (port.family()) {
                      case IPV4 ->
                          e.getIPs().getV4List().stream().map(ip -> ip + ":" + override.getPort());
                      case IPV6 ->
                          e.getIPs().getV6List().stream()
                              .map(ip -> "[" + ip + "]:" + override.getPort());
                    }))
        .collect(toSet());
  }

  private static Set<String> texts(List<dev.portolan.core.node.Endpoint> endpoints) {
    return endpoints.stream().map(dev.portolan.core.node.Endpoint::toString).collect(toSet());
  }

  @Property(tries = 300)
  void kpngsFieldsAreEnoughUnlessPoliciesAreLocal(@ForAll long seed) throws WireException {
    for (NodeService service : services(new RandomObjects(seed).image("n1"))) {
      EncodedService encoded = EncodedService.of(service);
      NodeService read =
          NodeMessages.service(
              message(encoded).toBuilder().clearDecision().build(), endpoints(encoded, "n1"), "n1");
      assertThat(read.name()).isEqualTo(service.name());
      assertThat(read.type()).isEqualTo(service.type());
      assertThat(read.healthCheckNodePort()).isEqualTo(service.healthCheckNodePort());
      for (ServicePort port : service.ports()) {
        assertThat(find(read, port).balancing().kind()).isEqualTo(port.balancing().kind());
        if (port.route(Traffic.INTERNAL).pool() == Pool.CLUSTER) {
          ServicePort same = find(read, port);
          assertThat(same.cluster()).isEqualTo(port.cluster());
          assertThat(same.route(Traffic.INTERNAL)).isEqualTo(port.route(Traffic.INTERNAL));
          assertThat(same.sourceRanges()).isEqualTo(port.sourceRanges());
        }
      }
    }
  }

  private static ServicePort find(NodeService service, ServicePort port) {
    return service.ports().stream()
        .filter(p -> p.name().equals(port.name()))
        .filter(p -> p.clusterIp().equals(port.clusterIp()))
        .findFirst()
        .orElseThrow();
  }

  @Property(tries = 1000)
  void objectsComeBack(@ForAll long seed) throws WireException {
    RandomObjects objects = new RandomObjects(seed);
    dev.portolan.core.cluster.Service service = objects.service();
    Value value = ClusterItems.service(service).message().getSet();
    assertThat(ClusterMessages.service(StreamValues.parse(value, ServiceInfo.parser())))
        .isEqualTo(service);
    assertThat(Paths.object(value.getRef().getPath()).name()).isEqualTo(service.name());
    EndpointSlice slice = objects.slice();
    value = ClusterItems.slice(slice).message().getSet();
    assertThat(ClusterMessages.slice(StreamValues.parse(value, Slice.parser()))).isEqualTo(slice);
    Node node = objects.node();
    value = ClusterItems.node(node).message().getSet();
    assertThat(ClusterMessages.node(StreamValues.parse(value, NodeInfo.parser()))).isEqualTo(node);
    assertThat(value.getRef().getPath()).isEqualTo("|" + node.name() + "||");
    dev.portolan.core.cluster.ServiceCidr cidr = objects.serviceCidr();
    value = ClusterItems.serviceCidr(cidr).message().getSet();
    assertThat(ClusterMessages.serviceCidr(StreamValues.parse(value, ServiceCIDR.parser())))
        .isEqualTo(cidr);
  }

  @Property(tries = 300)
  void hashesDifferWhereAnythingDoes(@ForAll long seed) throws WireException {
    RandomObjects objects = new RandomObjects(seed);
    Map<Long, ServiceInfo> services = new HashMap<>();
    Map<Long, NodeInfo> nodes = new HashMap<>();
    Map<Long, EndpointInfo> endpoints = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      Value service = ClusterItems.service(objects.service()).message().getSet();
      ServiceInfo info = StreamValues.parse(service, ServiceInfo.parser());
      assertThat(services.put(info.getHash(), info)).isIn(null, info);
      Value node = ClusterItems.node(objects.node()).message().getSet();
      NodeInfo nodeInfo = StreamValues.parse(node, NodeInfo.parser());
      assertThat(nodes.put(nodeInfo.getHash(), nodeInfo)).isIn(null, nodeInfo);
      for (ClusterItems.Entry entry : ClusterItems.endpointInfos(objects.slice())) {
        EndpointInfo endpoint =
            StreamValues.parse(entry.set().message().getSet(), EndpointInfo.parser());
        assertThat(endpoints.put(endpoint.getHash(), endpoint)).isIn(null, endpoint);
      }
    }
  }

  @Property(tries = 300)
  void slicesOfKpngHaveTheEndpointsOfTheObject(@ForAll long seed) throws WireException {
    EndpointSlice slice = new RandomObjects(seed).slice();
    List<EndpointInfo> infos = new ArrayList<>();
    Set<String> paths = new HashSet<>();
    for (ClusterItems.Entry entry : ClusterItems.endpointInfos(slice)) {
      assertThat(entry.delete().message().getDelete().getPath()).isEqualTo(entry.path());
      assertThat(paths.add(entry.path())).isTrue();
      infos.add(StreamValues.parse(entry.set().message().getSet(), EndpointInfo.parser()));
    }
    List<EndpointSlice> read = ClusterMessages.slices(infos);
    if (infos.isEmpty()) {
      assertThat(read).isEmpty();
      return;
    }
    assertThat(read).hasSize(1);
    assertThat(read.getFirst().name()).isEqualTo(slice.name());
    assertThat(read.getFirst().serviceName()).isEqualTo(slice.serviceName());
    assertThat(read.getFirst().addressType()).isEqualTo(slice.addressType());
    assertThat(read.getFirst().ports())
        .containsAll(slice.ports().stream().filter(port -> port.port() != 0).toList());
    assertThat(addresses(slice)).containsAll(addresses(read.getFirst()));
  }

  private static Set<String> addresses(EndpointSlice slice) {
    return slice.members().stream()
        .flatMap(member -> member.addresses().stream().limit(1))
        .collect(toSet());
  }

  @Property
  void pathsComeBack(@ForAll String namespace, @ForAll String name) throws WireException {
    NamespacedName object = new NamespacedName(namespace, name);
    assertThat(Paths.object(Paths.object(object)).name()).isEqualTo(object);
  }
}
