package dev.portolan.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.portolan.api.globalv1.EndpointInfo;
import dev.portolan.api.globalv1.NodeInfo;
import dev.portolan.api.globalv1.ServiceInfo;
import dev.portolan.api.localv1.IPSet;
import dev.portolan.api.localv1.PortMapping;
import dev.portolan.api.localv1.PortName;
import dev.portolan.core.cluster.EndpointSlice;
import dev.portolan.core.cluster.EndpointSlice.AddressType;
import dev.portolan.core.cluster.EndpointSlice.Conditions;
import dev.portolan.core.cluster.EndpointSlice.Member;
import dev.portolan.core.cluster.NamespacedName;
import dev.portolan.core.cluster.Node;
import dev.portolan.core.cluster.Service;
import dev.portolan.core.cluster.ServiceAnnotation;
import dev.portolan.core.cluster.ServiceMetadata;
import dev.portolan.core.net.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterItemsTest {
  private static Member member(String address, String node, List<String> zones) {
    return new Member(
        List.of(address), Conditions.READY, node, "z1", zones, List.of(), "Pod shop/" + node);
  }

  private static EndpointSlice slice(String service, Member... members) {
    return new EndpointSlice(
        new NamespacedName("shop", "cart-1"),
        service,
        AddressType.IPV4,
        List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
        List.of(members),
        false,
        null);
  }

  private static List<EndpointInfo> infos(EndpointSlice slice) throws WireException {
    List<EndpointInfo> infos = new ArrayList<>();
    for (ClusterItems.Entry entry : ClusterItems.endpointInfos(slice)) {
      infos.add(StreamValues.parse(entry.set().message().getSet(), EndpointInfo.parser()));
    }
    return infos;
  }

  @Test
  void anEndpointSaysWhatKpngKnows() throws WireException {
    EndpointInfo info = infos(slice("cart", member("10.1.0.1", "n1", List.of("z1")))).getFirst();
    assertThat(info.getNamespace()).isEqualTo("shop");
    assertThat(info.getSourceName()).isEqualTo("cart-1");
    assertThat(info.getServiceName()).isEqualTo("cart");
    assertThat(info.getPodName()).isEqualTo("n1");
    assertThat(info.getEndpoint().getIPs()).isEqualTo(IPSet.newBuilder().addV4("10.1.0.1").build());
    assertThat(info.getEndpoint().getPortOverridesList())
        .containsExactly(PortName.newBuilder().setName("http").setPort(8080).build());
    assertThat(info.getConditions().getReady()).isTrue();
    assertThat(info.getTopology().getNode()).isEqualTo("n1");
    assertThat(info.getHints().getZonesList()).containsExactly("z1");
  }

  /** A KPNG brain looks for the name of an unnamed port's target among those of an endpoint. */
  @Test
  void anUnnamedPortIsFoundByItsTarget() throws WireException {
    Service service =
        Service.named("shop", "cart")
            .clusterIps(List.of("10.96.0.1"))
            .ports(List.of(new Service.Port("", Protocol.TCP, 80, 0)))
            .build();
    ServiceInfo info =
        StreamValues.parse(ClusterItems.service(service).message().getSet(), ServiceInfo.parser());
    assertThat(info.getService().getPorts(0).getTargetPortName()).isEqualTo("unnamed");
    EndpointSlice slice =
        new EndpointSlice(
            new NamespacedName("shop", "cart-1"),
            "cart",
            AddressType.IPV4,
            List.of(new EndpointSlice.Port("", Protocol.TCP, 8080)),
            List.of(member("10.1.0.1", "n1", List.of())),
            false,
            null);
    List<EndpointInfo> infos = infos(slice);
    assertThat(infos.getFirst().getEndpoint().getPortOverridesList())
        .containsExactly(
            PortName.newBuilder().setPort(8080).build(),
            PortName.newBuilder().setName("unnamed").setPort(8080).build());
    assertThat(ClusterMessages.slices(infos).getFirst().ports())
        .as("of use to KPNG's programs alone")
        .allMatch(port -> port.name().isEmpty());
  }

  /** Some of KPNG's programs know no other number. */
  @Test
  void aPortNamesTheNumberOfItsTarget() throws WireException {
    Service service =
        Service.named("shop", "cart")
            .clusterIps(List.of("10.96.0.1"))
            .ports(
                List.of(
                    new Service.Port("http", Protocol.TCP, 80, 0, 8080),
                    new Service.Port("admin", Protocol.TCP, 81, 0, 0)))
            .build();
    ServiceInfo info =
        StreamValues.parse(ClusterItems.service(service).message().getSet(), ServiceInfo.parser());
    assertThat(info.getService().getPortsList())
        .extracting(PortMapping::getTargetPort)
        .containsExactly(8080, 0);
    assertThat(ClusterMessages.service(info).ports()).isEqualTo(service.ports());
  }

  /** KPNG keeps one endpoint per service and pod. */
  @Test
  void onlyOneFamilyNamesPods() throws WireException {
    EndpointSlice slice =
        new EndpointSlice(
            new NamespacedName("shop", "cart-2"),
            "cart",
            AddressType.IPV6,
            List.of(new EndpointSlice.Port("http", Protocol.TCP, 8080)),
            List.of(member("fd10::1", "n1", List.of())),
            false,
            null);
    assertThat(infos(slice).getFirst().getPodName()).isEmpty();
    assertThat(infos(slice("cart", member("10.1.0.1", "n1", List.of()))).getFirst().getPodName())
        .isEqualTo("n1");
  }

  @Test
  void aPathNamesServiceSliceAndHash() throws WireException {
    EndpointSlice slice = slice("cart", member("10.1.0.1", "n1", List.of()));
    EndpointInfo info = infos(slice).getFirst();
    assertThat(info.hasHints()).isFalse();
    assertThat(ClusterItems.endpointInfos(slice).getFirst().path())
        .isEqualTo("shop|cart|cart-1|" + Long.toHexString(info.getHash()));
  }

  @Test
  void whateverDiffersChangesTheHash() throws WireException {
    Conditions ready = Conditions.READY;
    List<String> none = List.of();
    List<String> at = List.of("10.1.0.1");
    Member[] members = {
      new Member(at, ready, "n1", "z1", none, none, ""),
      new Member(List.of("10.1.0.2"), ready, "n1", "z1", none, none, ""),
      new Member(at, new Conditions(false, true, false), "n1", "z1", none, none, ""),
      new Member(at, new Conditions(true, false, false), "n1", "z1", none, none, ""),
      new Member(at, new Conditions(true, true, true), "n1", "z1", none, none, ""),
      new Member(at, ready, "n2", "z1", none, none, ""),
      new Member(at, ready, "n1", "z2", none, none, ""),
      new Member(at, ready, "n1", "z1", List.of("z2"), none, ""),
      new Member(at, ready, "n1", "z1", none, List.of("z2"), ""),
      new Member(at, ready, "n1", "z1", none, none, "Pod shop/a"),
    };
    List<EndpointInfo> infos = infos(slice("cart", members));
    infos.addAll(infos(slice("other", members)));
    assertThat(infos).hasSize(2 * members.length);
    assertThat(infos).extracting(EndpointInfo::getHash).doesNotHaveDuplicates();
  }

  @Test
  void membersThatNobodyCouldUseAreLeftOut() throws WireException {
    Member good = member("10.1.0.1", "n1", List.of());
    assertThat(infos(slice("cart", good, good, member("fd10::1", "n1", List.of())))).hasSize(1);
    assertThat(infos(slice("", good))).isEmpty();
  }

  @Test
  void endpointsThatDifferInPortsOrFamilyAreSlicesOfTheirOwn() throws WireException {
    EndpointInfo first = infos(slice("cart", member("10.1.0.1", "n1", List.of()))).getFirst();
    EndpointInfo.Builder second = first.toBuilder();
    second.getEndpointBuilder().setIPs(IPSet.newBuilder().addV4("10.1.0.2").addV6("fd10::2"));
    EndpointInfo.Builder third = first.toBuilder();
    third.getEndpointBuilder().getPortOverridesBuilder(0).setPort(9090);
    List<EndpointSlice> slices =
        ClusterMessages.slices(List.of(first, second.build(), third.build(), first));
    assertThat(slices)
        .extracting(slice -> slice.name().name() + " " + slice.addressType())
        .containsExactly("cart-1 IPv4", "cart-1#2 IPv4", "cart-1#3 IPv6");
    assertThat(slices).extracting(slice -> slice.members().size()).containsExactly(2, 1, 1);
  }

  @Test
  void conditionsThatAreNotSaidAreGood() throws WireException {
    EndpointInfo info = infos(slice("cart", member("10.1.0.1", "n1", List.of()))).getFirst();
    EndpointSlice read =
        ClusterMessages.slices(List.of(info.toBuilder().clearConditions().build())).getFirst();
    assertThat(read.members().getFirst().conditions()).isEqualTo(Conditions.READY);
    assertThat(read.members().getFirst().target()).isEqualTo("Pod shop/n1");
  }

  @Test
  void aServiceOfKpngIsReadFromItsOwnFields() throws WireException {
    Service service =
        Service.named("shop", "cart")
            .clusterIps(List.of("10.96.0.1", "fd96::1"))
            .ports(List.of(new Service.Port("http", Protocol.TCP, 80, 0)))
            .externalIps(List.of("192.0.2.1"))
            .ingress(List.of(new Service.Ingress("192.0.2.2", true)))
            .sourceRanges(List.of("10.0.0.0/8"))
            .affinitySeconds(60)
            .metadata(
                ServiceMetadata.of(
                    Map.of(),
                    Map.of(
                        ServiceAnnotation.BALANCING.key(),
                        "maglev",
                        ServiceAnnotation.WEIGHTS.key(),
                        "zone:a=3")))
            .build();
    ServiceInfo info =
        StreamValues.parse(ClusterItems.service(service).message().getSet(), ServiceInfo.parser());
    assertThat(ClusterMessages.service(info.toBuilder().clearObject().build())).isEqualTo(service);
    Service headless = Service.named("shop", "cart").clusterIps(List.of("None")).build();
    info =
        StreamValues.parse(ClusterItems.service(headless).message().getSet(), ServiceInfo.parser());
    assertThat(info.getService().getIPs().getHeadless()).isTrue();
    assertThat(ClusterMessages.service(info.toBuilder().clearObject().build())).isEqualTo(headless);
  }

  @Test
  void clientsThatSeeNoLabelsAreSparedSomeServices() {
    Service plain = Service.named("shop", "cart").build();
    Service labelled = Service.named("shop", "cart").proxyName(Optional.of("mesh")).build();
    assertThat(ClusterItems.isFor(plain, Optional.empty())).isTrue();
    assertThat(ClusterItems.isFor(labelled, Optional.empty())).isFalse();
    assertThat(ClusterItems.isFor(labelled, Optional.of("mesh"))).isTrue();
    assertThat(ClusterItems.isFor(plain, Optional.of("mesh"))).isFalse();
  }

  @Test
  void nodesHaveATopology() throws WireException {
    NodeInfo info =
        StreamValues.parse(
            ClusterItems.node(Node.named("n1")).message().getSet(), NodeInfo.parser());
    assertThat(info.getNode().hasTopology()).isTrue();
    assertThat(info.getNode().getTopology().getNode()).isEqualTo("n1");
  }

  @Test
  void deletionsNameWhatWasSet() {
    NamespacedName name = new NamespacedName("shop", "cart");
    assertThat(ClusterItems.deleteService(name).message().getDelete().getPath())
        .isEqualTo("shop|cart||");
    assertThat(ClusterItems.deleteSlice(name).message().getDelete().getPath())
        .isEqualTo("shop|cart||");
    assertThat(ClusterItems.deleteNode("n1").message().getDelete().getPath()).isEqualTo("|n1||");
    assertThat(ClusterItems.deleteServiceCidr("kubernetes").message().getDelete().getPath())
        .isEqualTo("|kubernetes||");
  }
}
